import type { Locale } from '../../domain/language/languages.ts'
import { suggestAddress } from '../../domain/payer/email-typos.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import type { HostedContext } from './page.ts'
import type { HostedTexts } from './texts/sv.ts'

/** Attributes of most inputs, for browser and keyboard. */
const USUAL: {
  readonly type: 'text' | 'email' | 'tel' | 'select'
  readonly numeric: boolean
  readonly required: boolean
  /** Label of the enter key on a virtual keyboard. */
  readonly enter: 'next' | 'done'
  /** Text of the hint between label and input. */
  readonly hint: 'optional' | (keyof HostedTexts & `${string}_hint`) | null
} = { type: 'text', numeric: false, required: true, enter: 'next', hint: null }

/** @param autocomplete detail token of HTML's autofill */
const input = (autocomplete: string, maxlength: number, over: Partial<typeof USUAL> = {}) => ({
  ...USUAL,
  autocomplete,
  maxlength,
  ...over,
})

/** Inputs of the page by field name; labels are the texts of the same names. */
export const INPUTS = {
  // Room for nineteen digits with blanks or dashes.
  card_number: input('cc-number', 40, { numeric: true }),
  card_expiry: input('cc-exp', 9, { numeric: true, hint: 'card_expiry_hint' }),
  card_cvv: input('cc-csc', 4, { numeric: true, hint: 'card_cvv_hint' }),
  card_holder: input('cc-name', 100, { enter: 'done' }),
  email: input('email', 256, { type: 'email' }),
  phone: input('tel', 30, { type: 'tel' }),
  first_name: input('given-name', 100),
  last_name: input('family-name', 100),
  address_1: input('address-line1', 100),
  address_2: input('address-line2', 100, { required: false, hint: 'optional' }),
  zip: input('postal-code', 10),
  city: input('address-level2', 100),
  country_code: input('country', 3, { type: 'select' }),
  personal_number: input('off', 20, { hint: 'personal_number_hint' }),
  swish_number: input('tel', 30, { type: 'tel', hint: 'swish_number_hint', enter: 'done' }),
} as const

export type InputName = keyof typeof INPUTS

export const INPUT_FIELDS = Object.keys(INPUTS) as readonly InputName[]

export interface FieldContents {
  readonly problems: readonly { readonly field: string | null; readonly text: string }[]
  /** Values of inputs: typed, or known from the merchant. */
  readonly values: Readonly<Partial<Record<InputName, string>>>
  /** Fields that this form does not require. */
  readonly optional: readonly string[]
  /** Codes of the countries to choose from; undefined: all. */
  readonly countries: readonly string[] | undefined
}

/** Renders a field with its label and hint, and its problem below; both describe it. */
export function renderInputField(
  { text, locale, problems, values, optional, countries }: HostedContext & FieldContents,
  name: InputName,
): SafeHtml {
  const { type, autocomplete, numeric, required, maxlength, enter, hint } = INPUTS[name]
  const problem = problems.find((each) => each.field === name)?.text
  const { [name]: value = '' } = values
  const meant = type === 'email' ? suggestAddress(value) : undefined
  const describing = [problem && `${name}_problem`, hint && `${name}_hint`]
    .filter(Boolean)
    .join(' ')
  const attributes = [
    html`id="${name}" name="${name}" autocomplete="${autocomplete}"`,
    required && !optional.includes(name) ? html` required` : null,
    problem && html` aria-invalid="true"`,
    describing && html` aria-describedby="${describing}"`,
  ]
  const keyboard = [
    type === 'text' ? null : html` type="${type}"`,
    numeric ? html` inputmode="numeric"` : null,
  ]
  const control =
    type === 'select'
      ? html`<select ${attributes}>
${value === '' ? html`<option value="">${text.choose}</option>` : null}
${listCountryOptions(locale, countries).map(
  (country) => html`<option
  value="${country.code}"${country.code === value ? html` selected` : null}>${country.name}</option>
`,
)}</select>`
      : html`<input ${attributes}${keyboard} maxlength="${maxlength}" enterkeyhint="${enter}"
  spellcheck="false"${value && html` value="${value}"`}>`
  return html`<div class="field">
<div class="head"><label for="${name}">${text[name]}</label>
${hint && html`<p class="hint" id="${name}_hint">${text[hint]}</p>`}</div>
${control}
<p class="wrong" id="${name}_problem"${problem ? null : html` hidden`}>${problem}</p>
${
  type === 'email'
    ? html`<p class="hint" id="${name}_meant" role="status"
  data-ask="${text.email_meant}">${meant && `${text.email_meant} ${meant}?`}</p>`
    : null
}
</div>
`
}

export const renderChoice = (legend: string, options: readonly SafeHtml[], id?: string): SafeHtml =>
  html`<fieldset class="choice"${id && html` id="${id}"`}>
<legend>${legend}</legend>
${options.map(
  (option) => html`<div class="option">${option}</div>
`,
)}</fieldset>`

export const renderOption = (
  name: string,
  id: string | number,
  isChosen: boolean,
  label: SafeHtml,
  value: string | number = id,
): SafeHtml =>
  html`<input type="radio" id="${name}_${id}"
  name="${name}" value="${value}"${isChosen ? html` checked` : null}>
<label for="${name}_${id}">${label}</label>`

/** Countries of ISO 3166-1: alpha-2 and alpha-3. */
const COUNTRIES = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
  BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
  BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
  CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
  FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
  GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
  ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
  LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
  MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
  NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
  SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
  TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
  UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`

/**
 * Lists all or some countries by name, in the language's alphabetical order.
 * @param codes alpha-3, as in payment_details
 */
export function listCountryOptions(locale: Locale, codes?: readonly string[]) {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const { compare } = new Intl.Collator(locale)
  return COUNTRIES.trim()
    .split(/\s+/)
    .filter((both) => codes?.includes(both.slice(2)) ?? true)
    .map((both) => ({ code: both.slice(2), name: names.of(both.slice(0, 2)) ?? both }))
    .sort((one, other) => compare(one.name, other.name))
}
