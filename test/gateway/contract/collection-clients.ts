import { hash } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'

/** A request as a client sends it, its variables put in. */
export interface Sent {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Answered {
  readonly status: number
  readonly body: unknown
}

type Send = (sent: Sent) => Promise<Answered>

interface Row {
  readonly key?: string
  readonly name?: string
  readonly value: string
  readonly disabled?: boolean
  readonly enabled?: boolean
}

interface PostmanRequest {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly auth?: { readonly type: string }
    readonly url: { readonly raw: string }
    readonly body?: { readonly urlencoded: readonly Row[] }
  }
}

export interface PostmanCollection {
  readonly auth: { readonly basic: readonly Row[] }
  readonly variable: readonly { readonly key: string; readonly value: string }[]
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[]
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanRequest[] }[]
}

interface BrunoRequest {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly url: string
    readonly auth: { readonly mode: string }
    readonly body: { readonly formUrlEncoded?: readonly Row[] }
  }
}

export interface BrunoCollection {
  readonly items: readonly { readonly name: string; readonly items: readonly BrunoRequest[] }[]
  readonly root: {
    readonly request: {
      readonly auth: { readonly basic: { readonly username: string; readonly password: string } }
      readonly script: { readonly req: string; readonly res: string }
      readonly vars: { readonly req: readonly Row[] }
    }
  }
}

/** What both clients have built in. */
const MODULES: Readonly<Record<string, unknown>> = { 'crypto-js': { MD5: (text: string) => hash('md5', text) } }

/** A script has what its client gives it, and nothing of Node. CryptoJS is a global in Postman, so no script may declare it. */
const run = (script: string, given: object) =>
  void runInContext(
    `const CryptoJS = {};\n{\n${script}\n}`,
    createContext({ require: (name: string) => MODULES[name], ...given }),
  )

const pathOf = (url: string) => new URL(url).pathname

/** The variables of a client, and texts with them put in. */
function variablesOf(rows: readonly { readonly key?: string; readonly name?: string; readonly value: string }[]) {
  const known = new Map(rows.map(({ key, name, value }) => [key ?? name ?? '', value]))
  const put = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_whole, name) => {
      const value = known.get(name)
      if (value === undefined) throw new Error(`Nobody knows {{${name}}}`)
      return value
    })
  const form = (on: readonly Row[]) =>
    String(new URLSearchParams(on.map(({ key, name, value }) => [key ?? name ?? '', put(value)])))
  const login = (username: string, password: string) => ({
    authorization: `Basic ${btoa(put(`${username}:${password}`))}`,
  })
  return { known, put, form, login }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Does what Postman does with every request in turn. */
export async function runPostman({ auth, variable, event, item }: PostmanCollection, send: Send): Promise<void> {
  const { known, put, form, login } = variablesOf(variable)
  const [username = '', password = ''] = auth.basic.map(({ value }) => value)
  const script = (listen: string) => event.find((each) => each.listen === listen)?.script.exec.join('\n') ?? ''
  const kept = { get: (name: string) => known.get(name), set: (name: string, value: string) => known.set(name, value) }
  for (const { name, request } of item.flatMap((folder) => folder.item)) {
    const rows = request.body?.urlencoded
    const pm = {
      variables: kept,
      collectionVariables: kept,
      request: {
        method: request.method,
        url: { getPath: () => pathOf(put(request.url.raw)) },
        ...(rows ? { body: { urlencoded: { all: () => rows } } } : {}),
      },
    }
    run(script('prerequest'), { pm })
    const headers = { ...(request.auth ? {} : login(username, password)), ...(rows ? FORM : {}) }
    const body = rows ? form(rows.filter(({ disabled }) => !disabled)) : null
    const { status, body: answer } = await send({
      name,
      method: request.method,
      url: put(request.url.raw),
      headers,
      body,
    })
    const json = () => JSON.parse(JSON.stringify(answer))
    run(script('test'), { pm: { ...pm, response: { code: status, json } } })
  }
}

/** Does what Bruno does with every request in turn. */
export async function runBruno({ items, root }: BrunoCollection, send: Send): Promise<void> {
  const { auth, script, vars } = root.request
  const { known, put, form, login } = variablesOf(vars.req)
  const bru = {
    getVar: () => undefined,
    getCollectionVar: (name: string) => known.get(name),
    setVar: (name: string, value: string) => known.set(name, value),
  }
  for (const { name, request } of items.flatMap((folder) => folder.items)) {
    const rows = request.body.formUrlEncoded?.filter(({ enabled }) => enabled)
    const req = { getBody: () => rows, getMethod: () => request.method, getUrl: () => put(request.url) }
    run(script.req, { bru, req })
    const hasLogin = request.auth.mode === 'inherit'
    const headers = { ...(hasLogin ? login(auth.basic.username, auth.basic.password) : {}), ...(rows ? FORM : {}) }
    const { body } = await send({
      name,
      method: request.method,
      url: put(request.url),
      headers,
      body: rows ? form(rows) : null,
    })
    run(script.res, { bru, req, res: { getBody: () => body } })
  }
}
