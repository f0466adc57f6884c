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
  write(call: SampleCall): string
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

const pairs = (fields: SampleCall['fields'], write: (name: string, value: string) => string) =>
  Object.entries(fields)
    .map(([name, value]) => `  ${write(name, value)}`)
    .join(',\n')

const hasFields = ({ fields }: SampleCall) => Object.keys(fields).length > 0

/**
 * Languages of samples in `/docs` and in the console. Each has the same call. curl has its own
 * functions.
 */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'PHP',
    fence: 'php',
    write: (call) =>
      [
        `$call = curl_init(${php(call.url)});`,
        'curl_setopt_array($call, [',
        '  CURLOPT_RETURNTRANSFER => true,',
        `  CURLOPT_CUSTOMREQUEST => ${php(call.method)},`,
        ...(call.login ? [`  CURLOPT_USERPWD => ${php(credentials(call.login))},`] : []),
        ...(hasFields(call)
          ? [
              '  CURLOPT_POSTFIELDS => http_build_query([',
              `${pairs(call.fields, (name, value) => `  ${php(name)} => ${php(value)}`)},`,
              '  ]),',
            ]
          : []),
        ']);',
        '$answer = json_decode(curl_exec($call));',
      ].join('\n'),
  },
  {
    name: 'JavaScript',
    fence: 'js',
    write: (call) =>
      [
        `const answer = await fetch(${single(call.url)}, {`,
        `  method: ${single(call.method)},`,
        ...(call.login
          ? [`  headers: { authorization: 'Basic ' + btoa(${single(credentials(call.login))}) },`]
          : []),
        ...(hasFields(call)
          ? [
              '  body: new URLSearchParams({',
              `${pairs(call.fields, (name, value) => `  ${memberName(name)}: ${single(value)}`)},`,
              '  }),',
            ]
          : []),
        '})',
        'console.log(await answer.json())',
      ].join('\n'),
  },
  {
    name: 'Ruby',
    fence: 'ruby',
    write: (call) =>
      [
        "require 'net/http'; require 'json'",
        '',
        `uri = URI(${ruby(call.url)})`,
        `request = Net::HTTP::${rubyClass(call.method)}.new(uri)`,
        ...(call.login
          ? [`request.basic_auth ${ruby(call.login.user)}, ${ruby(call.login.password)}`]
          : []),
        ...(hasFields(call)
          ? [
              'request.set_form_data(',
              pairs(call.fields, (name, value) => `${ruby(name)} => ${ruby(value)}`),
              ')',
            ]
          : []),
        "answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') do |http|",
        '  http.request(request)',
        'end',
        'puts JSON.parse(answer.body)',
      ].join('\n'),
  },
  {
    name: 'Python',
    fence: 'python',
    write: (call) =>
      [
        'import base64, json, urllib.parse, urllib.request',
        '',
        `request = urllib.request.Request(${double(call.url)}, method=${double(call.method)})`,
        ...(call.login
          ? [
              `login = base64.b64encode(${double(credentials(call.login))}.encode()).decode()`,
              'request.add_header("Authorization", "Basic " + login)',
            ]
          : []),
        ...(hasFields(call)
          ? [
              'request.data = urllib.parse.urlencode({',
              `${pairs(call.fields, (name, value) => `${double(name)}: ${double(value)}`)},`,
              '}).encode()',
            ]
          : []),
        'print(json.load(urllib.request.urlopen(request)))',
      ].join('\n'),
  },
  {
    name: 'C#',
    fence: 'csharp',
    write: (call) =>
      [
        'using var client = new HttpClient();',
        `var method = new HttpMethod(${double(call.method)});`,
        `using var request = new HttpRequestMessage(method, ${double(call.url)});`,
        ...(call.login
          ? [
              'request.Headers.Authorization = new("Basic",',
              '  Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(',
              `    ${double(credentials(call.login))})));`,
            ]
          : []),
        ...(hasFields(call)
          ? [
              'request.Content = new FormUrlEncodedContent(new Dictionary<string, string> {',
              pairs(call.fields, (name, value) => `[${double(name)}] = ${double(value)}`),
              '});',
            ]
          : []),
        'using var answer = await client.SendAsync(request);',
        'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
      ].join('\n'),
  },
]
