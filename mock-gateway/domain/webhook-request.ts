/** A webhook that a request attaches to its transaction (specification: Events; observed: 10.1). */
export type WebhookRequest =
  | {
      readonly type: 'CustomHttp'
      readonly trigger: string
      readonly url: string
      readonly httpMethod: 'post' | 'get'
      readonly dataFormat: 'json' | 'form_data' | 'xml'
    }
  | { readonly type: 'Email'; readonly trigger: string; readonly email: string }
