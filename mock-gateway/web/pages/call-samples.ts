/** The call of a sample. */
export interface SampleCall {
  readonly method: string
  /** Address with its host. */
  readonly url: string
  /** Undefined: a call without a login. */
  readonly login: { readonly user: string; readonly password: string } | undefined
  /** Fields of the sent form. */
  readonly fields: Readonly<Record<string, string>>
}

/** A programming language of samples. */
export interface Language {
  readonly name: string
  /** Its name in fenced code blocks. */
  readonly fence: string
  /** @param calculated fields whose values are expressions of this language */
  write(call: SampleCall, calculated?: Readonly<Record<string, string>>): string
}

/**
 * Characters that are escaped in every literal: invisible ones, line ends, and the end of `?>`,
 * which closes a PHP block.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|(?<=\?)>/gu

/** Writes a text as a literal: a program that shows what a stranger has sent contains data only. */
const literal = (
  quote: string,
  text: string,
  special: RegExp,
  hidden: (codePoint: string) => string,
): string =>
  quote +
  text
    .toWellFormed()
    .replaceAll(special, '\\$&')
    .replaceAll(HIDDEN, (character) => hidden((character.codePointAt(0) as number).toString(16))) +
  quote

const braced = (codePoint: string) => `\\u{${codePoint}}`
const eightDigits = (codePoint: string) => `\\U${codePoint.padStart(8, '0')}`

/** For JavaScript. */
const single = (text: string) => literal("'", text, /[\\']/g, braced)
/** For Python and C#. */
const double = (text: string) => literal('"', text, /[\\"]/g, eightDigits)
/** PHP and Ruby interpret `\u{...}`, and variables, only between double quotes. */
const php = (text: string) =>
  text.search(HIDDEN) < 0 ? single(text) : literal('"', text, /[\\"$]/g, braced)
const ruby = (text: string) =>
  text.search(HIDDEN) < 0 ? single(text) : literal('"', text, /[\\"#]/g, braced)

/**
 * For a shell: between single quotes, only the quote itself is special. A terminal interprets
 * control characters of a pasted command, so these are written in octal.
 */
export const shell = (text: string): string => {
  if (text.search(HIDDEN) < 0) return `'${text.replaceAll("'", "'\\''")}'`
  const octal = (codePoint: string) =>
    [...Buffer.from(String.fromCodePoint(Number.parseInt(codePoint, 16)))]
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join('')
  return `$${literal("'", text, /[\\']/g, octal)}`
}

/** Writes a name before a colon in JavaScript. */
const memberName = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : single(name))

/** Returns Ruby's class of a method, such as Post. */
const rubyClass = (method: string) => method.charAt(0) + method.slice(1).toLowerCase()

const credentials = ({ user, password }: NonNullable<SampleCall['login']>) => `${user}:${password}`

/** Writes the fields of a call. @param line writes a field whose value is a literal or an expression */
const writeFields = (
  { fields }: SampleCall,
  calculated: Readonly<Record<string, string>>,
  quote: (text: string) => string,
  line: (name: string, value: string) => string,
): string =>
  [
    ...Object.entries(fields).map(([name, value]) => line(name, quote(value))),
    ...Object.entries(calculated).map(([name, value]) => line(name, value)),
  ].join(',\n')

const hasFields = ({ fields }: SampleCall) => Object.keys(fields).length > 0

/** Joins the lines that a call needs. */
const lines = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined).join('\n')

/**
 * Languages of samples in `/docs`, in the console and on the home page. Each prints the explanation
 * and the answer of the same call. curl has its own functions.
 */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'PHP',
    fence: 'php',
    write: (call, calculated = {}) =>
      lines(
        `$call = curl_init(${php(call.url)});`,
        'curl_setopt_array($call, [',
        '  CURLOPT_HEADER => true, // prints Mondido-Explain, too',
        `  CURLOPT_CUSTOMREQUEST => ${php(call.method)},`,
        call.login && `  CURLOPT_USERPWD => ${php(credentials(call.login))},`,
        hasFields(call) &&
          `  CURLOPT_POSTFIELDS => http_build_query([
${writeFields(call, calculated, php, (name, value) => `    ${php(name)} => ${value}`)},
  ]),`,
        ']);',
        'curl_exec($call);',
      ),
  },
  {
    name: 'JavaScript',
    fence: 'js',
    write: (call, calculated = {}) =>
      lines(
        `const answer = await fetch(${single(call.url)}, {`,
        `  method: ${single(call.method)},`,
        call.login &&
          `  headers: { authorization: 'Basic ' + btoa(${single(credentials(call.login))}) },`,
        hasFields(call) &&
          `  body: new URLSearchParams({
${writeFields(call, calculated, single, (name, value) => `    ${memberName(name)}: ${value}`)},
  }),`,
        '})',
        "console.log(answer.headers.get('mondido-explain') ?? '')",
        'console.log(await answer.text())',
      ),
  },
  {
    name: 'Ruby',
    fence: 'ruby',
    write: (call, calculated = {}) =>
      lines(
        "require 'net/http'",
        '',
        `uri = URI(${ruby(call.url)})`,
        `request = Net::HTTP::${rubyClass(call.method)}.new(uri)`,
        call.login && `request.basic_auth ${ruby(call.login.user)}, ${ruby(call.login.password)}`,
        hasFields(call) &&
          `request.set_form_data(
${writeFields(call, calculated, ruby, (name, value) => `  ${ruby(name)} => ${value}`)}
)`,
        "answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
        '  http.request(request)',
        'end',
        "puts answer['Mondido-Explain'], answer.body",
      ),
  },
  {
    name: 'Python',
    fence: 'python',
    write: (call, calculated = {}) =>
      lines(
        'import base64, urllib.error, urllib.parse, urllib.request',
        '',
        `request = urllib.request.Request(${double(call.url)}, method=${double(call.method)})`,
        call.login &&
          `login = base64.b64encode(${double(credentials(call.login))}.encode()).decode()
request.add_header("Authorization", "Basic " + login)`,
        hasFields(call) &&
          `request.data = urllib.parse.urlencode({
${writeFields(call, calculated, double, (name, value) => `  ${double(name)}: ${value}`)},
}).encode()`,
        'try:',
        '  answer = urllib.request.urlopen(request)',
        'except urllib.error.HTTPError as error:',
        '  answer = error',
        'print(answer.headers["Mondido-Explain"] or "")',
        'print(answer.read().decode())',
      ),
  },
  {
    name: 'C#',
    fence: 'csharp',
    write: (call, calculated = {}) =>
      lines(
        'using var client = new HttpClient();',
        `var method = new HttpMethod(${double(call.method)});`,
        `using var request = new HttpRequestMessage(method, ${double(call.url)});`,
        call.login &&
          `request.Headers.Authorization = new("Basic",
  Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(
    ${double(credentials(call.login))})));`,
        hasFields(call) &&
          `request.Content = new FormUrlEncodedContent(new Dictionary<string, string> {
${writeFields(call, calculated, double, (name, value) => `  [${double(name)}] = ${value}`)}
});`,
        'using var answer = await client.SendAsync(request);',
        'Console.WriteLine(answer); // prints Mondido-Explain, too',
        'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
      ),
  },
]
