// The payment page says how high it is whenever that changes: { msg: 'resize', height: '812px' }.
addEventListener('message', ({ source, origin, data }) => {
  const frame = document.querySelector('#payment')
  if (source !== frame.contentWindow || origin !== frame.dataset.origin) return
  if (data?.msg === 'resize' && /^\d{1,5}px$/.test(data.height)) frame.style.height = data.height
})
