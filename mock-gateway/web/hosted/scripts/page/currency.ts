/** The button of a card says what is paid once its currency is chosen. */
export function tellChosenSum(): void {
  const button = document.querySelector<HTMLButtonElement>('#mondidopayform .button')
  const tell = ({ checked, dataset }: HTMLInputElement) => {
    if (checked && button) button.textContent = dataset.pays ?? ''
  }
  for (const choice of document.querySelectorAll<HTMLInputElement>('[data-pays]')) {
    choice.addEventListener('change', () => tell(choice))
    tell(choice)
  }
}
