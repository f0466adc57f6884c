/** Page with Lit: a form in a shadow root, with a bound input, and disabled while it pays. */
import { html, LitElement, nothing } from 'lit'
import { configure, createMondido, type MondidoController } from 'mondido-js'
import { given } from './given.ts'

class CheckoutForm extends LitElement {
  static override properties = { isBusy: { state: true }, typed: { state: true } }
  declare isBusy: boolean
  declare typed: Readonly<Record<string, string>>
  payment: MondidoController | undefined

  constructor() {
    super()
    this.isBusy = false
    this.typed = {}
  }

  override firstUpdated(): void {
    const form = this.renderRoot.querySelector('form')
    if (form) this.payment = createMondido(form, given.options)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.payment?.destroy()
  }

  override render() {
    const { fields, card, isNamed } = given
    return html`<form
      @submit=${() => {
        this.isBusy = true
      }}
    >
      <fieldset ?disabled=${this.isBusy}>
        ${Object.entries(fields).map(([name, value]) => html`<input name=${name} .value=${value} />`)}
        ${card.map(
          (name) =>
            html`<input
              data-encrypt-attribute=${name}
              name=${isNamed ? name : nothing}
              .value=${this.typed[name] ?? ''}
              @input=${({ target }: InputEvent) => {
                this.typed = { ...this.typed, [name]: (target as HTMLInputElement).value }
              }}
            />`,
        )}
        <button>Pay</button>
      </fieldset>
    </form>`
  }
}

configure(given.config)
customElements.define('checkout-form', CheckoutForm)
document.body.append(document.createElement('checkout-form'))
