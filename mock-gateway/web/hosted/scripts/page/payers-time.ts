import { timeText } from '../../../pages/time-text.ts'

/** Tells times in the payer's own zone; the gateway knows but the universal one. */
export function tellPayersTime(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-numbers]'))
    time.textContent = timeText(Date.parse(time.dateTime), time.dataset.numbers ?? '')
}
