// After paying, the payer is back in the shop, but inside the frame: from here the whole window
// goes on.
window.top.location.replace(document.querySelector('a').href)
