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

const single = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const double = (text: string) => JSON.stringify(text).replaceAll('#{', '\\#{')

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
        `$call = curl_init(${single(call.url)});`,
        'curl_setopt_array($call, [',
        '  CURLOPT_RETURNTRANSFER => true,',
        `  CURLOPT_CUSTOMREQUEST => ${single(call.method)},`,
        ...(call.login
          ? [`  CURLOPT_USERPWD => ${single(`${call.login.user}:${call.login.password}`)},`]
          : []),
        ...(hasFields(call)
          ? [
              `  CURLOPT_POSTFIELDS => http_build_query([\n${pairs(call.fields, (name, value) => `  ${single(name)} => ${single(value)}`)},\n  ]),`,
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
          ? [
              `  headers: { authorization: 'Basic ' + btoa(${single(`${call.login.user}:${call.login.password}`)}) },`,
            ]
          : []),
        ...(hasFields(call)
          ? [
              `  body: new URLSearchParams({\n${pairs(call.fields, (name, value) => `  ${name.includes('[') ? single(name) : name}: ${single(value)}`)},\n  }),`,
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
        `uri = URI(${single(call.url)})`,
        `request = Net::HTTP::${call.method.charAt(0)}${call.method.slice(1).toLowerCase()}.new(uri)`,
        ...(call.login
          ? [`request.basic_auth ${single(call.login.user)}, ${single(call.login.password)}`]
          : []),
        ...(hasFields(call)
          ? [
              `request.set_form_data(\n${pairs(call.fields, (name, value) => `${single(name)} => ${single(value)}`)}\n)`,
            ]
          : []),
        "answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
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
        `request = urllib.request.Request(${JSON.stringify(call.url)}, method=${JSON.stringify(call.method)})`,
        ...(call.login
          ? [
              `login = base64.b64encode(${JSON.stringify(`${call.login.user}:${call.login.password}`)}.encode()).decode()`,
              'request.add_header("Authorization", "Basic " + login)',
            ]
          : []),
        ...(hasFields(call)
          ? [
              `request.data = urllib.parse.urlencode({\n${pairs(call.fields, (name, value) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)},\n}).encode()`,
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
        `using var request = new HttpRequestMessage(new HttpMethod(${double(call.method)}), ${double(call.url)});`,
        ...(call.login
          ? [
              'request.Headers.Authorization = new("Basic",',
              `  Convert.ToBase64String(System.Text.Encoding.UTF8.GetBytes(${double(`${call.login.user}:${call.login.password}`)})));`,
            ]
          : []),
        ...(hasFields(call)
          ? [
              `request.Content = new FormUrlEncodedContent(new Dictionary<string, string> {\n${pairs(call.fields, (name, value) => `[${double(name)}] = ${double(value)}`)}\n});`,
            ]
          : []),
        'using var answer = await client.SendAsync(request);',
        'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
      ].join('\n'),
  },
]
