// Generated from mock-gateway/operations by `node build/contract-types.ts`.
// biome-ignore-all format: one line for each type and each operation
type Metadata = { readonly [key: string]: unknown }
export interface State { readonly merchant_id: number | null; readonly clock: 'real' | 'offset' | 'frozen'; readonly now: string; readonly merchant_clocks: number; readonly faults: number; readonly next_payments: number; readonly next_captures: number; readonly held_webhooks: boolean; readonly is_normal: boolean }
export interface Clock { readonly merchant_id: number | null; readonly mode: 'real' | 'offset' | 'frozen'; readonly now: string; readonly next: readonly (Due)[] }
export interface ClockMoved { readonly merchant_id: number | null; readonly mode: 'real' | 'offset' | 'frozen'; readonly now: string; readonly next: readonly (Due)[]; readonly from: string; readonly happened: readonly (Due)[]; readonly quiet: boolean; readonly seconds_left?: number | undefined }
export interface CurrencyConversion { readonly currency: string; readonly rate: string; readonly chosen_currency?: string | undefined }
export interface Authentication { readonly flow?: 'frictionless' | 'challenge' | 'none' | undefined; readonly result?: 'Y' | 'A' | 'N' | 'U' | 'R' | 'error' | 'timeout' | 'cancel' | 'abandon' | 'replay' | 'tamper' | undefined; readonly delay_seconds?: number | undefined; readonly version?: '1.0.2' | '2.1.0' | '2.2.0' | undefined; readonly question?: 'code' | 'app' | 'choice' | 'choices' | 'bankid' | undefined }
export interface PaymentLink { readonly id: number; readonly created_at: string; readonly merchant_id: number; readonly url: string; readonly status: 'active' | 'used_up' | 'expired' | 'closed'; readonly amount: string; readonly currency: string; readonly payment_ref: string; readonly description: string; readonly plan_id: number | null; readonly test: boolean; readonly success_url: string | null; readonly error_url: string | null; readonly expires_at: string | null; readonly uses: number; readonly used: number; readonly closed_at: string | null }
export interface Fault { readonly id: number; readonly kind: 'latency' | 'late_answer' | 'drop' | 'cut_answer' | 'bad_gateway' | 'unavailable' | 'rate_limit'; readonly milliseconds: number; readonly method: string | null; readonly path: string | null; readonly merchant_id: number | null; readonly times: number; readonly until: string | null; readonly probability: number; readonly struck: number }
export interface Mail { readonly id: number; readonly merchant_id: number; readonly delivery_id: number; readonly message_id: string; readonly from: string; readonly to: string; readonly subject: string; readonly text: string; readonly html: string; readonly status: 'kept' | 'sent' | 'refused'; readonly created_at: string }
export interface Request { readonly at: string; readonly request_id: string; readonly method: string; readonly route: string | null; readonly status: number | null; readonly merchant_id: number | null; readonly error: string | null; readonly explain: string | null; readonly duration_ms: number }
export interface RequestWithContents { readonly at: string; readonly request_id: string; readonly method: string; readonly route: string | null; readonly status: number | null; readonly merchant_id: number | null; readonly error: string | null; readonly explain: string | null; readonly duration_ms: number; readonly path: string; readonly sent: Metadata | null; readonly encrypted: readonly (string)[]; readonly headers: { readonly [key: string]: string }; readonly answer_headers: { readonly [key: string]: string }; readonly answer: Metadata; readonly fault: string | null }
export interface Payment { readonly id: number; readonly merchant_id: number; readonly created_at: string; readonly payment_ref: string; readonly amount: string; readonly currency: string; readonly status: string; readonly error: string | null; readonly test: boolean }
export interface Story { readonly id: number; readonly payment_ref: string; readonly amount: string; readonly currency: string; readonly status: string; readonly next: readonly (string)[]; readonly findings: readonly (string)[]; readonly entries: readonly (StoryEntry)[] }
export interface MerchantLine { readonly id: number; readonly name: string; readonly created_at: string; readonly updated_at: string }
export interface Merchant { readonly id: number; readonly name: string; readonly created_at: string; readonly updated_at: string; readonly given_at_start: boolean; readonly settings: Metadata; readonly changed_settings: readonly (string)[]; readonly fixed_settings: readonly (string)[] }
export interface Snapshot { readonly name: string; readonly payments: number; readonly saved_at: string }
export interface Fixtures { readonly merchants?: readonly (Metadata)[] | undefined; readonly templates?: readonly (Metadata)[] | undefined; readonly plans?: readonly (Metadata)[] | undefined; readonly payment_links?: readonly (Metadata)[] | undefined; readonly customers?: readonly (Metadata)[] | undefined; readonly stored_cards?: readonly (Metadata)[] | undefined; readonly transactions?: readonly (Metadata)[] | undefined }
export interface Delivery { readonly id: number; readonly merchant_id: number; readonly created_at: string; readonly event_id: string; readonly webhook_id: string; readonly transaction_id: number | null; readonly webhook: number | null; readonly template: string | null; readonly type: 'CustomHttp' | 'Email' | 'receipt'; readonly trigger: string; readonly url: string | null; readonly http_method: 'post' | 'get' | null; readonly data_format: 'json' | 'form_data' | 'xml' | null; readonly email: string | null; readonly status: 'pending' | 'delivered' | 'failed' | 'dead'; readonly attempts: number; readonly due_at: string | null }
export interface Sending { readonly delay: number; readonly duplicates: number; readonly duplicates_after: number; readonly reorder: boolean; readonly hold: boolean; readonly hold_orders: readonly (string)[] }
export interface WebhookTemplate { readonly name: string; readonly trigger: string; readonly type: string | null; readonly url: string | null; readonly http_method: 'post' | 'get' | null; readonly data_format: 'json' | 'form_data' | 'xml' | null; readonly email: string | null; readonly template_id: number | null }
export interface Attempt { readonly id: number; readonly number: number; readonly created_at: string; readonly manual: boolean; readonly outcome: 'delivered' | 'retry' | 'failed'; readonly duration: number; readonly response: Reply; readonly request_headers: Metadata | null; readonly request_body: string | null }
export interface Reply { readonly code: number | null; readonly body: string | null; readonly message: string | null; readonly headers: Metadata | null; readonly error: string | null }
export interface Notification { readonly id: number; readonly merchant_id: number; readonly created_at: string; readonly kind: 'webhook_failed' | 'webhook_dead'; readonly delivery_id: number; readonly transaction_id: number | null; readonly message: string }
export interface Template { readonly id: number; readonly name: string; readonly kind: 'page' | 'receipt' | 'partial'; readonly in_file: boolean; readonly created_at: string; readonly updated_at: string }
export interface Due { readonly at: string; readonly kind: string; readonly merchant_id: number; readonly id: number; readonly what?: string | undefined; readonly [key: string]: unknown }
export interface StoryEntry { readonly at: string; readonly kind: 'clock' | 'request' | '3-D Secure' | 'bank' | 'payment' | 'webhook' | 'mail'; readonly title: string; readonly tone: 'good' | 'waiting' | 'bad' | 'off'; readonly says: string | null; readonly details: readonly ({ readonly name: string; readonly text: string })[]; readonly of?: { readonly what: 'requests' | 'webhooks'; readonly id: string } | undefined }

/** Every operation of the sandbox, by its name. */
export interface Operations {
  readonly sandbox: {
    /** Shows what is switched on: the clock, faults, forced outcomes and held webhooks. */
    state(input?: { readonly merchant_id?: number | undefined }): Promise<State>
    /** Deletes faults and forced outcomes, sends held webhooks, and returns clocks to real time. */
    normal(input?: { readonly merchant_id?: number | undefined }): Promise<State>
  }
  readonly clock: {
    /** Shows a clock and the next events that are due. */
    show(input?: { readonly merchant_id?: number | undefined }): Promise<Clock>
    /** Stops a clock, now or at a given time. */
    freeze(input?: { readonly merchant_id?: number | undefined; readonly at?: string | undefined; readonly force?: boolean | undefined }): Promise<ClockMoved>
    /** Moves a clock to a given time; a running clock continues to run. */
    set(input?: { readonly merchant_id?: number | undefined; readonly at?: string | undefined; readonly force?: boolean | undefined }): Promise<ClockMoved>
    /** Moves a clock forward, and runs everything that becomes due on the way. */
    advance(input?: { readonly merchant_id?: number | undefined; readonly seconds?: number | undefined; readonly minutes?: number | undefined; readonly hours?: number | undefined; readonly days?: number | undefined; readonly months?: number | undefined; readonly until?: 'next_event' | 'payment' | 'payment_success' | 'payment_error' | 'payment_form' | 'recurring_success' | 'refund' | 'stored_card' | 'before_payment' | undefined; readonly force?: boolean | undefined }): Promise<ClockMoved>
    /** Starts a stopped clock. */
    resume(input?: { readonly merchant_id?: number | undefined; readonly real?: boolean | undefined; readonly force?: boolean | undefined }): Promise<ClockMoved>
  }
  readonly payments: {
    /** Lists the forced outcomes of the next payments. */
    forced(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
    /** Forces the bank's answer to the next payments. */
    force(input: { readonly merchant_id?: number | undefined; readonly outcome: string; readonly times?: number | undefined; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
    /** Deletes the forced outcomes of the next payments. */
    unforce(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
    /** Lists the payments, the newest first. */
    list(input?: { readonly limit?: number | undefined; readonly offset?: number | undefined; readonly merchant_id?: number | undefined }): Promise<{ readonly payments: readonly (Payment)[] }>
  }
  readonly captures: {
    /** Lists the forced outcomes of the next captures. */
    forced(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
    /** Forces the bank's answer to the next captures, with a delay; until then they are capture pending. */
    force(input: { readonly merchant_id?: number | undefined; readonly outcome: string; readonly times?: number | undefined; readonly seconds?: number | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
    /** Deletes the forced outcomes of the next captures. */
    unforce(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly next: readonly ({ readonly merchant_id: number | null; readonly outcome: string; readonly seconds?: number | undefined; readonly times: number; readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined; readonly currency_converter?: CurrencyConversion | undefined })[] }>
  }
  readonly authentications: {
    /** Lists the forced results of 3-D Secure for the next payments on a page. */
    forced(input: { readonly merchant_id: number }): Promise<{ readonly merchant_id: number; readonly next: readonly (Authentication)[] }>
    /** Forces the result of 3-D Secure for the next payment on a page; omitted fields follow the card. */
    force(input: { readonly merchant_id: number; readonly flow?: 'frictionless' | 'challenge' | 'none' | undefined; readonly result?: 'Y' | 'A' | 'N' | 'U' | 'R' | 'error' | 'timeout' | 'cancel' | 'abandon' | 'replay' | 'tamper' | undefined; readonly delay_seconds?: number | undefined; readonly version?: '1.0.2' | '2.1.0' | '2.2.0' | undefined; readonly question?: 'code' | 'app' | 'choice' | 'choices' | 'bankid' | undefined }): Promise<{ readonly merchant_id: number; readonly next: Authentication }>
    /** Deletes the forced results of 3-D Secure for the next payments on a page. */
    unforce(input: { readonly merchant_id: number }): Promise<{ readonly merchant_id: number; readonly next: readonly (Authentication)[] }>
    /** Answers a challenge for a payer who is at the bank or in its app; the payer's page continues automatically. */
    answer(input: { readonly merchant_id: number; readonly answer: string; readonly transaction_id?: number | undefined; readonly payment_ref?: string | undefined }): Promise<{ readonly merchant_id: number; readonly transaction_id: number | null; readonly payment_ref: string; readonly question: 'code' | 'app' | 'choice' | 'choices' | 'bankid'; readonly step: string; readonly answered: boolean }>
  }
  readonly links: {
    /** Lists a merchant's payment links, the newest first. */
    list(input?: { readonly limit?: number | undefined; readonly offset?: number | undefined; readonly merchant_id?: number | undefined }): Promise<readonly (PaymentLink)[]>
    /** Creates a payment link. */
    create(input?: { readonly merchant_id?: number | undefined; readonly amount?: string | undefined; readonly currency?: string | undefined; readonly payment_ref?: string | undefined; readonly description?: string | undefined; readonly plan_id?: number | undefined; readonly test?: boolean | undefined; readonly success_url?: string | undefined; readonly error_url?: string | undefined; readonly expires_at?: string | undefined; readonly uses?: number | undefined }): Promise<PaymentLink>
    /** Shows a payment link. */
    show(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<PaymentLink>
    /** Closes a payment link, the same as links.close. */
    delete(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<PaymentLink>
    /** Closes a payment link; its payments remain. */
    close(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<PaymentLink>
  }
  readonly faults: {
    /** Lists the injected faults, and how many requests each has affected. */
    list(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly faults: readonly (Fault)[] }>
    /** Injects a fault: delays, replaces or loses the answers to the next requests. */
    inject(input: { readonly merchant_id?: number | undefined; readonly kind: 'latency' | 'late_answer' | 'drop' | 'cut_answer' | 'bad_gateway' | 'unavailable' | 'rate_limit'; readonly milliseconds?: number | undefined; readonly path?: string | undefined; readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'HEAD' | undefined; readonly times?: number | undefined; readonly seconds?: number | undefined; readonly probability?: number | undefined; readonly seed?: string | undefined }): Promise<Fault>
    /** Deletes all faults. */
    clear(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly faults: readonly (Fault)[] }>
    /** Deletes one fault. */
    remove(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<{ readonly faults: readonly (Fault)[] }>
  }
  readonly mails: {
    /** Lists the newest mails. */
    list(input?: { readonly limit?: number | undefined; readonly merchant_id?: number | undefined }): Promise<{ readonly mails: readonly (Mail)[] }>
    /** Shows a mail, or returns it as a file. */
    show(input: { readonly name: string; readonly merchant_id?: number | undefined }): Promise<Mail | string>
  }
  readonly requests: {
    /** Lists the last requests of clients, the newest first. */
    list(input?: { readonly limit?: number | undefined; readonly merchant_id?: number | undefined }): Promise<{ readonly requests: readonly (Request)[] }>
    /** Finds the newest request to a route with given values. */
    find(input: { readonly merchant_id?: number | undefined; readonly route: string; readonly where?: Metadata | undefined }): Promise<{ readonly request: RequestWithContents | null; readonly message: string | null }>
    /** Shows a request with its parameters and answer; secrets and card numbers are masked. */
    show(input: { readonly id: string; readonly merchant_id?: number | undefined }): Promise<RequestWithContents>
  }
  readonly stories: {
    /** Shows the timeline of a payment, with all its events in order, as one HTML file. */
    show(input: { readonly id: string; readonly merchant_id?: number | undefined }): Promise<Story | string>
  }
  readonly console: {
    /** Creates an address that opens the console without a password. */
    open(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly url: string }>
  }
  readonly merchants: {
    /** Lists the merchants. */
    list(input?: { readonly limit?: number | undefined; readonly offset?: number | undefined }): Promise<readonly (MerchantLine)[]>
    /** Creates a merchant; omitted values are generated and shown only in this answer. */
    create(input?: { readonly id?: number | undefined; readonly name?: string | undefined; readonly password?: string | undefined; readonly secret?: string | undefined; readonly private_key?: string | undefined; readonly preset?: 'woocommerce-1' | 'woocommerce-3' | 'woocommerce-4' | 'woocommerce-checkout' | 'prestashop' | 'magento-2' | 'csharp-2' | 'ruby-1' | 'ios' | 'android' | undefined; readonly settings?: Metadata | undefined }): Promise<{ readonly id: number; readonly name: string; readonly created_at: string; readonly updated_at: string; readonly given_at_start: boolean; readonly settings: Metadata; readonly changed_settings: readonly (string)[]; readonly fixed_settings: readonly (string)[]; readonly password: string; readonly secret: string }>
    /** Lists the settings for old clients. */
    presets(): Promise<readonly ({ readonly name: string; readonly client: string; readonly settings: Metadata; readonly why: string })[]>
    /** Shows a merchant and its settings. */
    show(input: { readonly id: number }): Promise<Merchant>
    /** Changes a merchant; omitted fields do not change. */
    update(input: { readonly id: number; readonly name?: string | undefined; readonly password?: string | undefined; readonly secret?: string | undefined; readonly private_key?: string | undefined; readonly preset?: 'woocommerce-1' | 'woocommerce-3' | 'woocommerce-4' | 'woocommerce-checkout' | 'prestashop' | 'magento-2' | 'csharp-2' | 'ruby-1' | 'ios' | 'android' | undefined; readonly settings?: Metadata | undefined }): Promise<Merchant>
    /** Shows the public key that the library encrypts with; the first call creates it. */
    keys(input: { readonly id: number }): Promise<{ readonly public_key: string }>
    /** Creates a new key pair; open pages with the served library fetch the new public key. */
    renewKeys(input: { readonly id: number }): Promise<{ readonly public_key: string }>
    /** Creates a new secret and password, shown only in this answer; the previous ones remain valid for a while. */
    rotate(input: { readonly id: number; readonly part?: 'both' | 'secret' | 'password' | undefined; readonly hours?: number | undefined }): Promise<{ readonly id: number; readonly secret: string | null; readonly password: string | null; readonly warning: string | null; readonly previous_valid_until: string }>
  }
  readonly data: {
    /** Deletes all data of merchants; the merchants themselves remain. */
    reset(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly merchant_id: number | null; readonly reset: true }>
  }
  readonly snapshots: {
    /** Lists the snapshots. */
    list(): Promise<{ readonly snapshots: readonly (Snapshot)[] }>
    /** Saves the data of all merchants under a name; replaces a snapshot with this name. */
    save(input: { readonly name: string }): Promise<Snapshot>
    /** Restores the data of all merchants, clocks, random seeds and next ids from a snapshot. */
    restore(input: { readonly name: string }): Promise<Snapshot>
    /** Deletes a snapshot; the data stay as they are. */
    delete(input: { readonly name: string }): Promise<{ readonly snapshots: readonly (Snapshot)[] }>
  }
  readonly seed: {
    /** Shows whether tokens and references are predictable. */
    show(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly merchant_id: number | null; readonly seeded: boolean }>
    /** Makes tokens and references predictable, with a random seed. */
    set(input: { readonly merchant_id?: number | undefined; readonly seed: string }): Promise<{ readonly merchant_id: number | null; readonly seeded: boolean }>
    /** Makes tokens and references random again. */
    clear(input?: { readonly merchant_id?: number | undefined }): Promise<{ readonly merchant_id: number | null; readonly seeded: boolean }>
  }
  readonly fixtures: {
    /** Returns all data as a file (fixtures). */
    export(input?: { readonly merchant_id?: number | undefined }): Promise<Fixtures>
    /** Adds the data of a file (fixtures). */
    load(input?: { readonly merchants?: readonly (Metadata)[] | undefined; readonly templates?: readonly (Metadata)[] | undefined; readonly plans?: readonly (Metadata)[] | undefined; readonly payment_links?: readonly (Metadata)[] | undefined; readonly customers?: readonly (Metadata)[] | undefined; readonly stored_cards?: readonly (Metadata)[] | undefined; readonly transactions?: readonly (Metadata)[] | undefined }): Promise<{ readonly loaded: { readonly [key: string]: number }; readonly problems: readonly ({ readonly line: number | null; readonly message: string; readonly merchant_id: number; readonly template_id: number })[] }>
  }
  readonly webhooks: {
    /** Sends a test webhook of any trigger to an address, now. */
    test(input: { readonly merchant_id?: number | undefined; readonly trigger: 'payment' | 'payment_success' | 'payment_error' | 'payment_form' | 'recurring_success' | 'refund' | 'stored_card' | 'before_payment'; readonly type?: string | null | undefined; readonly url?: string | null | undefined; readonly http_method?: 'post' | 'get' | null | undefined; readonly data_format?: 'json' | 'form_data' | 'xml' | null | undefined; readonly email?: string | null | undefined; readonly transaction_id?: number | undefined }): Promise<Delivery>
    /** Holds back new webhooks, of one payment or of all. */
    hold(input?: { readonly merchant_id?: number | undefined; readonly payment_ref?: string | undefined; readonly transaction_id?: number | undefined }): Promise<Sending>
    /** Sends the held webhooks, of one payment or of all, and stops holding them back. */
    release(input?: { readonly merchant_id?: number | undefined; readonly payment_ref?: string | undefined; readonly transaction_id?: number | undefined }): Promise<{ readonly released: number }>
    /** Lists the webhook templates that were created here. */
    templates(input?: { readonly merchant_id?: number | undefined }): Promise<readonly (WebhookTemplate)[]>
    /** Creates a webhook template, or replaces the template with the same name. */
    createTemplate(input?: { readonly merchant_id?: number | undefined; readonly name?: string | undefined; readonly trigger?: string | undefined; readonly type?: string | null | undefined; readonly url?: string | null | undefined; readonly http_method?: 'post' | 'get' | null | undefined; readonly data_format?: 'json' | 'form_data' | 'xml' | null | undefined; readonly email?: string | null | undefined; readonly template_id?: number | undefined }): Promise<WebhookTemplate>
    /** Shows a webhook template. */
    template(input: { readonly name: string; readonly merchant_id?: number | undefined }): Promise<WebhookTemplate>
    /** Changes a webhook template. */
    updateTemplate(input: { readonly name: string; readonly merchant_id?: number | undefined; readonly trigger?: string | undefined; readonly type?: string | null | undefined; readonly url?: string | null | undefined; readonly http_method?: 'post' | 'get' | null | undefined; readonly data_format?: 'json' | 'form_data' | 'xml' | null | undefined; readonly email?: string | null | undefined; readonly template_id?: number | undefined }): Promise<WebhookTemplate>
    /** Deletes a webhook template. */
    deleteTemplate(input: { readonly name: string; readonly merchant_id?: number | undefined }): Promise<WebhookTemplate>
    /** Shows how webhooks are sent; null means the value of the settings. */
    sending(input?: { readonly merchant_id?: number | undefined }): Promise<Sending | null>
    /** Delays, duplicates or reorders webhooks. */
    setSending(input?: { readonly merchant_id?: number | undefined; readonly delay?: number | undefined; readonly duplicates?: number | undefined; readonly duplicates_after?: number | undefined; readonly reorder?: boolean | undefined; readonly hold?: boolean | undefined; readonly hold_orders?: readonly (string)[] | undefined }): Promise<Sending>
  }
  readonly deliveries: {
    /** Lists deliveries, the newest first. */
    list(input?: { readonly id?: number | undefined; readonly transaction_id?: number | undefined; readonly status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined; readonly trigger?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined; readonly merchant_id?: number | undefined }): Promise<readonly (Delivery)[]>
    /** Resends the deliveries that match a filter, outside the retry schedule; at most 1,000 per call. */
    sendAll(input?: { readonly merchant_id?: number | undefined; readonly id?: number | undefined; readonly transaction_id?: number | undefined; readonly status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined; readonly trigger?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined }): Promise<{ readonly sent: number }>
    /** Attempts matching deliveries now, one after the other, and answers after the last attempt. */
    attempt(input?: { readonly merchant_id?: number | undefined; readonly id?: number | undefined; readonly transaction_id?: number | undefined; readonly status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined; readonly trigger?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined; readonly event?: number | undefined; readonly order?: 'oldest_first' | 'newest_first' | undefined }): Promise<readonly (Delivery)[]>
    /** Shows a delivery with its body and every attempt. */
    show(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<{ readonly id: number; readonly merchant_id: number; readonly created_at: string; readonly event_id: string; readonly webhook_id: string; readonly transaction_id: number | null; readonly webhook: number | null; readonly template: string | null; readonly type: 'CustomHttp' | 'Email' | 'receipt'; readonly trigger: string; readonly url: string | null; readonly http_method: 'post' | 'get' | null; readonly data_format: 'json' | 'form_data' | 'xml' | null; readonly email: string | null; readonly status: 'pending' | 'delivered' | 'failed' | 'dead'; readonly attempts: readonly (Attempt)[]; readonly due_at: string | null; readonly body: string }>
    /** Deletes a delivery that was delivered or failed permanently, with its attempts and mails. */
    delete(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<Delivery>
    /** Resends a delivery with the same webhook-id. */
    send(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<{ readonly sent: number }>
    /** Runs the next retry now; it counts as an attempt of the schedule. */
    retry(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<Delivery>
    /** Sends altered copies now; a correct shop rejects them. */
    alter(input: { readonly id: number; readonly merchant_id?: number | undefined; readonly change?: string | undefined; readonly payment_ref?: string | undefined; readonly copies?: number | undefined; readonly milliseconds?: number | undefined }): Promise<{ readonly change: string; readonly response: Reply; readonly responses: readonly (Reply)[] }>
    /** Lists deliveries that failed permanently. */
    dead(input?: { readonly id?: number | undefined; readonly transaction_id?: number | undefined; readonly status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined; readonly trigger?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined; readonly merchant_id?: number | undefined }): Promise<readonly (Delivery)[]>
    /** Lists the alerts to administrators. */
    notifications(input?: { readonly id?: number | undefined; readonly transaction_id?: number | undefined; readonly status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined; readonly trigger?: string | undefined; readonly limit?: number | undefined; readonly offset?: number | undefined; readonly merchant_id?: number | undefined }): Promise<readonly (Notification)[]>
  }
  readonly templates: {
    /** Lists the page and mail templates that the merchant can use. */
    list(input?: { readonly merchant_id?: number | undefined }): Promise<readonly (Template)[]>
    /** Creates a page or mail template. */
    create(input: { readonly merchant_id?: number | undefined; readonly name?: string | undefined; readonly kind?: 'page' | 'receipt' | 'partial' | undefined; readonly source: string }): Promise<{ readonly id: number; readonly name: string; readonly kind: 'page' | 'receipt' | 'partial'; readonly in_file: boolean; readonly created_at: string; readonly updated_at: string; readonly problems: readonly ({ readonly line: number | null; readonly message: string })[] }>
    /** Renders a template with a transaction, without saving it. */
    preview(input?: { readonly merchant_id?: number | undefined; readonly template_id?: number | undefined; readonly source?: string | undefined; readonly transaction_id?: number | undefined }): Promise<{ readonly html: string | null; readonly problems: readonly ({ readonly line: number | null; readonly message: string })[] }>
    /** Shows a template with its source. */
    show(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<{ readonly id: number; readonly name: string; readonly kind: 'page' | 'receipt' | 'partial'; readonly in_file: boolean; readonly created_at: string; readonly updated_at: string; readonly source: string }>
    /** Changes a template. */
    update(input: { readonly id: number; readonly merchant_id?: number | undefined; readonly name?: string | undefined; readonly kind?: 'page' | 'receipt' | 'partial' | undefined; readonly source: string }): Promise<{ readonly id: number; readonly name: string; readonly kind: 'page' | 'receipt' | 'partial'; readonly in_file: boolean; readonly created_at: string; readonly updated_at: string; readonly problems: readonly ({ readonly line: number | null; readonly message: string })[] }>
    /** Deletes a template. */
    delete(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<Template>
    /** Lists the problems of a template, and its last 20 failures on payers' pages. */
    problems(input: { readonly id: number; readonly merchant_id?: number | undefined }): Promise<{ readonly problems: readonly ({ readonly line: number | null; readonly message: string })[]; readonly failures: readonly ({ readonly transaction_id: number; readonly created_at: string; readonly reason: Metadata })[] }>
  }
}

/** The route of each operation. */
export const ROUTES = {
  'sandbox.state': 'GET /state',
  'sandbox.normal': 'POST /normal',
  'clock.show': 'GET /clock',
  'clock.freeze': 'POST /clock/freeze',
  'clock.set': 'POST /clock/set',
  'clock.advance': 'POST /clock/advance',
  'clock.resume': 'POST /clock/resume',
  'payments.force': 'POST /payments/next',
  'payments.forced': 'GET /payments/next',
  'payments.unforce': 'DELETE /payments/next',
  'captures.force': 'POST /captures/next',
  'captures.forced': 'GET /captures/next',
  'captures.unforce': 'DELETE /captures/next',
  'authentications.force': 'POST /3ds/next',
  'authentications.forced': 'GET /3ds/next',
  'authentications.unforce': 'DELETE /3ds/next',
  'authentications.answer': 'POST /3ds/answer',
  'links.list': 'GET /payment-links',
  'links.create': 'POST /payment-links',
  'links.show': 'GET /payment-links/:id',
  'links.close': 'POST /payment-links/:id/close',
  'links.delete': 'DELETE /payment-links/:id',
  'faults.list': 'GET /faults',
  'faults.inject': 'POST /faults',
  'faults.clear': 'DELETE /faults',
  'faults.remove': 'DELETE /faults/:id',
  'mails.list': 'GET /mails',
  'mails.show': 'GET /mails/:name',
  'requests.list': 'GET /requests',
  'requests.find': 'POST /requests/find',
  'requests.show': 'GET /requests/:id',
  'payments.list': 'GET /payments',
  'stories.show': 'GET /stories/:id',
  'console.open': 'POST /console',
  'merchants.list': 'GET /merchants',
  'merchants.create': 'POST /merchants',
  'merchants.presets': 'GET /merchants/presets',
  'merchants.show': 'GET /merchants/:id',
  'merchants.update': 'PUT /merchants/:id',
  'merchants.keys': 'GET /merchants/:id/keys',
  'merchants.renewKeys': 'POST /merchants/:id/keys',
  'merchants.rotate': 'POST /merchants/:id/rotate',
  'data.reset': 'POST /reset',
  'snapshots.list': 'GET /snapshots',
  'snapshots.save': 'POST /snapshots',
  'snapshots.restore': 'POST /snapshots/:name/restore',
  'snapshots.delete': 'DELETE /snapshots/:name',
  'seed.show': 'GET /seed',
  'seed.set': 'POST /seed',
  'seed.clear': 'DELETE /seed',
  'fixtures.export': 'GET /fixtures',
  'fixtures.load': 'POST /fixtures',
  'webhooks.test': 'POST /webhooks/test',
  'webhooks.hold': 'POST /webhooks/hold',
  'webhooks.release': 'POST /webhooks/release',
  'webhooks.templates': 'GET /webhooks/templates',
  'webhooks.createTemplate': 'POST /webhooks/templates',
  'webhooks.template': 'GET /webhooks/templates/:name',
  'webhooks.updateTemplate': 'PUT /webhooks/templates/:name',
  'webhooks.deleteTemplate': 'DELETE /webhooks/templates/:name',
  'webhooks.sending': 'GET /webhooks/sending',
  'webhooks.setSending': 'PUT /webhooks/sending',
  'deliveries.list': 'GET /webhooks/deliveries',
  'deliveries.sendAll': 'POST /webhooks/deliveries/send',
  'deliveries.attempt': 'POST /webhooks/deliveries/attempt',
  'deliveries.show': 'GET /webhooks/deliveries/:id',
  'deliveries.send': 'POST /webhooks/deliveries/:id/send',
  'deliveries.retry': 'POST /webhooks/deliveries/:id/retry',
  'deliveries.alter': 'POST /webhooks/deliveries/:id/alter',
  'deliveries.delete': 'DELETE /webhooks/deliveries/:id',
  'deliveries.dead': 'GET /webhooks/dead',
  'deliveries.notifications': 'GET /webhooks/notifications',
  'templates.list': 'GET /templates',
  'templates.create': 'POST /templates',
  'templates.preview': 'POST /templates/preview',
  'templates.show': 'GET /templates/:id',
  'templates.update': 'PUT /templates/:id',
  'templates.delete': 'DELETE /templates/:id',
  'templates.problems': 'GET /templates/:id/problems',
}
