import { timeText } from '../../../../domain/language/time-text.ts'

/** Converts times to the payer's time zone; the gateway only writes UTC. */
export function tellPayersTime(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-numbers]'))
    time.textContent = timeText(Date.parse(time.dateTime), time.dataset.numbers ?? '')
}
