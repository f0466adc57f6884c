# A small shop: /buy, a return address, a webhook handler, and /orders/<ref>.json. FAULT plants one mistake.
require 'digest'
require 'json'
require 'net/http'
require 'securerandom'
require 'set'
require 'socket'
require 'uri'

GATEWAY, MERCHANT, PASSWORD, SECRET = %w[BASE_URL MERCHANT_ID PASSWORD SECRET].map { |name| ENV.fetch("MONDIDO_#{name}") }
FAULT = ENV.fetch('FAULT', '')
AMOUNT = '100.00'
CURRENCY = 'sek'
ORDERS = {}
SEEN = Set.new
LOCK = Mutex.new
Order = Struct.new(:status, :amount, :fulfilled, :refunded, :transaction_id)

class GatewayError < StandardError; end

def call(method, path, fields = nil)
  uri = URI("#{GATEWAY}/v1#{path}")
  request = Net::HTTP.const_get(method).new(uri)
  request.basic_auth(MERCHANT, PASSWORD)
  request.set_form_data(fields) if fields
  answer = Net::HTTP.start(uri.host, uri.port, read_timeout: 10, max_retries: 0) { |http| http.request(request) }
  raise GatewayError, answer.code unless answer.is_a?(Net::HTTPSuccess)
  JSON.parse(answer.body)
rescue SystemCallError, IOError, Timeout::Error, JSON::ParserError => e
  raise GatewayError, e.message
end

# Sends the goods of an order, once.
def fulfil(order, event = nil)
  if FAULT == 'lets return and webhook run without a lock' # razorpay-woocommerce 167
    is_open = order.status == 'open'
    sleep 0.2
    order.fulfilled += 1 if is_open
    order.status = 'paid'
    return
  end
  LOCK.synchronize do
    is_new = event && FAULT == 'remembers the text of a webhook instead of its id' && SEEN.add?(event)
    return if order.status == 'paid' && !is_new
    order.status = 'paid' unless FAULT == 'never shows an order as paid'
    order.fulfilled += 1 if order.fulfilled.zero? || is_new
  end
end

# Reads the payment from the gateway and brings the order in line with it.
def settle(ref, order, event = nil)
  return if order.status == 'closed'
  call('Get', "/transactions?#{URI.encode_www_form('filter[payment_ref]' => ref, 'filter[status]' => 'approved')}").each do |paid|
    next unless paid['amount'] == AMOUNT && paid['currency'].downcase == CURRENCY
    fulfil(order, event)
    refunds = call('Get', "/transactions/#{paid['id']}")['refunds'].sum { |refund| refund['amount'].to_f }
    order.refunded = format('%.2f', refunds) unless FAULT == 'does not ask for refunds'
  end
end

def buy(here)
  raise GatewayError, 'The cart is locked' if $cart_is_locked
  $cart_is_locked = FAULT == 'keeps the cart locked after an error'
  ref = SecureRandom.hex(6)
  hooks = %w[payment refund].map { |trigger| { trigger: trigger, url: "#{here}/hook", http_method: 'post', data_format: 'json' } }
  made = call('Post', '/transactions', {
    payment_ref: ref, amount: AMOUNT, currency: CURRENCY, test: 'true', process: 'false',
    hash: Digest::MD5.hexdigest([MERCHANT, ref, AMOUNT, CURRENCY, 'test', SECRET].join),
    success_url: "#{here}/back/#{ref}", error_url: "#{here}/back/#{ref}", webhook: hooks.to_json
  })
  ORDERS[ref] = Order.new('open', AMOUNT, 0, '0.00', nil)
  $cart_is_locked = false
  made['href']
end

def on_return(ref, order, sent)
  if FAULT == 'reads the payment of the return and not its order'
    fulfil(order) if call('Get', "/transactions/#{sent['transaction_id'].to_i}")['status'] == 'approved'
    return
  end
  order.transaction_id = sent['transaction_id'].to_i
  settle(ref, order)
end

def on_webhook(body)
  event = FAULT == 'reads webhooks as a form' ? URI.decode_www_form(body).to_h : JSON.parse(body)
  order = ORDERS[event['payment_ref']]
  return 404 unless order
  # checkout-woocommerce-plugin 126
  return 200 if FAULT == 'finds orders by an id that the return brings' && order.transaction_id != event['id']
  order.status = 'closed' if FAULT == 'closes an order that was declined' && event['status'] == 'declined'
  settle(event['payment_ref'], order, [event['id'], event['amount'], event['status'], event['refunds']].to_s)
  200
rescue JSON::ParserError
  400
end

def answer(socket, status, headers = {}, body = '')
  lines = ["HTTP/1.1 #{status} -", "Content-Length: #{body.bytesize}", 'Connection: close', *headers.map { |pair| pair.join(': ') }]
  socket.write("#{lines.join("\r\n")}\r\n\r\n#{body}")
end

def route(socket, method, target, headers, body)
  here = "http://#{headers['host']}"
  path, query = target.split('?', 2)
  _, first, ref = path.split('/')
  order = ORDERS[ref.to_s.delete_suffix('.json')]
  return answer(socket, 303, { 'Location' => buy(here) }) if method == 'POST' && first == 'buy'
  return answer(socket, on_webhook(body)) if first == 'hook'
  return answer(socket, 404) unless order
  if first == 'back'
    on_return(ref, order, URI.decode_www_form(query.to_s).to_h)
    return answer(socket, 200)
  end
  shown = order.to_h.except(:transaction_id).merge(currency: CURRENCY)
  answer(socket, 200, { 'Content-Type' => 'application/json' }, shown.to_json)
rescue GatewayError
  raise if FAULT == 'lets an error of the gateway end the request'
  answer(socket, first == 'hook' ? 500 : 503)
end

def serve(socket)
  method, target = socket.gets.to_s.split
  return unless target
  headers = {}
  while (line = socket.gets&.chomp) && !line.empty?
    name, value = line.split(': ', 2)
    headers[name.downcase] = value
  end
  route(socket, method, target, headers, socket.read(headers['content-length'].to_i))
ensure
  socket.close
end

Thread.report_on_exception = false
server = TCPServer.new('127.0.0.1', ARGV.fetch(0).to_i)
loop { Thread.new(server.accept) { |socket| serve(socket) } }
