# frozen_string_literal: true

# The test kit of mondido-gateway for RSpec, in one file, for Ruby 3.0 and newer: `mondido-gateway exec -- rspec`.
# `RSpec.configure { |config| config.include MondidoGateway::Examples }` gives every example `shop`, a merchant of its own.

require 'digest'
require 'json'
require 'net/http'

class MondidoGateway
  # Error of a rejected call or a declined payment; the message contains the explanation.
  class MondidoError < StandardError
    attr_reader :error_name, :code, :explanation

    def initialize(error, explanation)
      @error_name = error['name']
      @code = error['code']
      @explanation = explanation
      super("#{@error_name} (#{@code}): #{error['description']} | #{explanation}")
    end
  end

  # Nobody listens there: a delivery tells what would have been sent.
  NOWHERE = 'http://127.0.0.1:9/'
  TRIGGERS = %w[payment payment_success payment_error payment_form recurring_success refund stored_card].freeze
  # Seconds between two attempts to find a webhook.
  PAUSE = 0.05

  attr_reader :url

  # The gateway that `mondido-gateway exec` has started.
  def self.from_environment
    new(ENV.fetch('MONDIDO_BASE_URL'), ENV.fetch('MONDIDO_CONTROL_KEY'))
  rescue KeyError
    raise 'There is no gateway: run the examples by mondido-gateway exec -- rspec.'
  end

  # True if mondido-gateway answers at this address, and not the real payment service.
  def self.mock?(url)
    Net::HTTP.get_response(URI("#{url}/v1")).key?('Mondido-Mock')
  end

  def initialize(url, control_key)
    @url = url
    @control_key = control_key
  end

  # A merchant that nobody else knows. settings: as in the merchants file.
  def shop(settings = {})
    templates = TRIGGERS.map { |trigger| { name: "test_#{trigger}", trigger: trigger, url: NOWHERE } }
    made = control('POST', '/merchants', settings: { webhooks: templates }.merge(settings))
    Shop.new(self, made['id'], made['password'], made['secret'])
  end

  # Calls the control API.
  def control(method, path, parameters = {})
    self.class.send_request(method, "#{@url}/_control#{path}", parameters, 'X-Control-Key' => @control_key)
  end

  # Saves the data of all merchants, clocks, seeds and forced outcomes under a name.
  def save_snapshot(name) = control('POST', '/snapshots', name: name)

  # Restores a snapshot, for all merchants. Accounts stay as they are.
  def restore_snapshot(name) = control('POST', "/snapshots/#{URI.encode_www_form_component(name)}/restore")

  def snapshots = control('GET', '/snapshots')['snapshots']

  def delete_snapshot(name) = control('DELETE', "/snapshots/#{URI.encode_www_form_component(name)}")

  def self.send_request(method, address, parameters, login)
    parameters = { locale: 'en' }.merge(parameters)
    uri = URI(address)
    uri.query = URI.encode_www_form(parameters) if method == 'GET'
    request = Net::HTTPGenericRequest.new(method, method != 'GET', true, uri, login.merge('Content-Type' => 'application/json'))
    request.body = JSON.generate(parameters) unless method == 'GET'
    answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https', read_timeout: 40) { |http| http.request(request) }
    body = JSON.parse(answer.body)
    return body if answer.code.to_i < 400

    raise MondidoError.new(body, answer['Mondido-Explain'])
  end

  # A merchant of one's own, and its clock.
  class Shop
    attr_reader :id, :password, :secret

    @orders = 0
    class << self
      def next_order
        @orders += 1
      end
    end

    def initialize(gateway, id, password, secret)
      @gateway = gateway
      @id = id
      @password = password
      @secret = secret
    end

    # Calls the API as this merchant, such as `call('GET', '/v1/transactions/7')`.
    def call(method, path, parameters = {})
      login = "Basic #{["#{id}:#{password}"].pack('m0')}"
      MondidoGateway.send_request(method, @gateway.url + path, parameters, 'Authorization' => login)
    end

    # Calls the control API for this merchant, such as `control('POST', '/faults', kind: 'drop')`.
    def control(method, path, parameters = {}) = @gateway.control(method, path, { merchant_id: id }.merge(parameters))

    # An order of 10.00 SEK by a card that pays, with a reference of its own and its hash.
    def order(over = {})
      order = {
        merchant_id: id, amount: '10.00', currency: 'sek', payment_ref: "rb#{Process.pid}-#{Shop.next_order}", test: true,
        card_number: '4111111111111111', card_holder: 'Kim Berg', card_expiry: '1230', card_cvv: '200'
      }.merge(over)
      { hash: hash_of(order) }.merge(order)
    end

    def hash_of(order)
      parts = [id, order[:payment_ref], order[:customer_ref], order[:amount], order[:currency].downcase, order[:test] && 'test', secret]
      Digest::MD5.hexdigest(parts.select { |part| part }.join)
    end

    # Pays; raises MondidoError if the bank declines the payment.
    def pay(over = {}) = call('POST', '/v1/transactions', order(over))

    # What the bank says to the next payments: approved, or an error by name or number.
    def next_outcome(outcome, times: 1) = control('POST', '/payments/next', outcome: outcome, times: times)

    # Moves this merchant's clock, such as `advance(months: 1)`; answers what happened on the way.
    def advance(**by) = control('POST', '/clock/advance', **by)['happened']

    # The newest webhook of a trigger, as it was sent or would have been. Raises with the webhooks that came instead.
    # Counts attempts, because tests may stop the clock.
    def wait_for(trigger, seconds: 30)
      [(seconds / PAUSE).to_i, 1].max.times do
        newest = deliveries(trigger: trigger, limit: 1).first
        return JSON.parse(control('GET', "/webhooks/deliveries/#{newest['id']}")['body']) if newest

        sleep PAUSE
      end
      raise no_webhook(trigger, "#{seconds} seconds")
    end

    # Moves this merchant's clock until a new webhook of a trigger is sent, at most so far, such as
    # `wait_within('recurring_success', months: 2)`.
    def wait_within(trigger, **within)
      newest = -> { deliveries(trigger: trigger, limit: 1).first&.fetch('id') }
      before = newest.call
      span = { seconds: 0, **within }
      loop do
        moved = control('POST', '/clock/advance', until: trigger, **span)
        return wait_for(trigger) if newest.call != before

        # A retry of an earlier webhook also stops the clock; a held webhook does not.
        is_stopped = moved['happened'].any? { |one| one['trigger'] == trigger }
        raise no_webhook(trigger, within.map { |unit, count| "#{count} #{unit}" }.join(', ')) if moved['quiet'] && !is_stopped

        span = { seconds: moved['seconds_left'] || 0 }
      end
    end

    # Holds new webhooks of one order, or of all.
    def hold_webhooks(payment_ref = nil) = control('POST', '/webhooks/hold', payment_ref: payment_ref)

    # Sends held webhooks in the order of their events, and returns their number.
    def release_webhooks(payment_ref = nil) = control('POST', '/webhooks/release', payment_ref: payment_ref)['released']

    # Forgets all that was done; merchant, settings and secret stay.
    def reset = control('POST', '/reset')

    # Returns the last requests of this merchant, the newest first, each with its error and explanation.
    def requests = control('GET', '/requests')['requests']

    # Returns the newest request to a route with these values, with its contents, such as
    # `sent(route: 'POST /v1/transactions', where: { amount: '12.50' })`. Raises with the nearest request.
    def sent(route:, where: {})
      found = control('POST', '/requests/find', route: route, where: where)
      found['request'] || raise(found['message'])
    end

    # The last requests, with what was wrong, as text.
    def story
      lines = requests.reverse.map { |one| "  #{one.values_at('at', 'method', 'route', 'status', 'error', 'explain').compact.join(' ')}" }
      ["What merchant #{id} asked of the gateway", *lines, ''].join("\n")
    end

    private

    def no_webhook(trigger, span)
      came = deliveries.map { |one| "#{one['trigger']} of transaction #{one['transaction_id']}" }
      "No webhook #{trigger} came within #{span}. Webhooks that came: #{came.empty? ? 'none' : came.join(', ')}."
    end

    def deliveries(filters = {}) = control('GET', '/webhooks/deliveries', filters)
  end

  # For RSpec: a merchant for each example; when one fails, what it asked is told.
  module Examples
    def self.included(group)
      group.let(:shop) { MondidoGateway.from_environment.shop }
      group.after { |example| warn shop.story if example.exception }
    end
  end
end
