const DATE_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
}

/** Converts times to the payer's time zone; the gateway only writes UTC. */
export function tellPayersTime(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-numbers]')) {
    const { format } = new Intl.DateTimeFormat(time.dataset.numbers, DATE_AND_TIME)
    time.textContent = format(Date.parse(time.dateTime))
  }
}
