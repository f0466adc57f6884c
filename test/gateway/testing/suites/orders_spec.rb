# frozen_string_literal: true

require_relative '../../../../mock-gateway/testing/mondido_gateway'

RSpec.configure { |config| config.include MondidoGateway::Examples }

RSpec.describe 'orders' do
  it 'pays and receives the webhook' do
    paid = shop.pay(amount: '12.50')
    expect(paid).to include('status' => 'approved', 'amount' => '12.50')
    expect(shop.wait_for('payment_success')['id']).to eq(paid['id'])
  end

  it 'recognises the mock' do
    expect(MondidoGateway.mock?(ENV.fetch('MONDIDO_BASE_URL'))).to be(true)
  end

  it 'lets the bank decline the next payment' do
    shop.next_outcome('errors.payment.declined')
    expect { shop.pay }.to raise_error(MondidoGateway::MondidoError) { |refused| expect(refused.code).to eq(129) }
    expect(shop.pay['status']).to eq('approved')
  end

  it 'moves its own clock' do
    plan = shop.call('POST', '/v1/plans', name: 'Box', interval: 1, interval_unit: 'months', prices: { sek: '99.00' })
    shop.pay(plan_id: plan['id'], store_card: true)
    expect(shop.advance(months: 3).count { |one| one['kind'] == 'charge' }).to eq(3)
  end

  it 'lists a rejected request with its explanation' do
    expect { shop.pay(hash: 'wrong') }.to raise_error(MondidoGateway::MondidoError)
    expect(shop.requests.first).to include('status' => 400, 'error' => 'errors.hash.invalid', 'explain' => /hash/)
  end

  it 'finds a request by its values, or names the nearest' do
    shop.pay(amount: '12.50')
    expect(shop.sent(route: 'POST /v1/transactions', where: { amount: '12.50' })['sent']).to include('currency' => 'sek')
    expect { shop.sent(route: 'POST /v1/transactions', where: { amount: '1.00' }) }.to raise_error(/has amount "12.50"/)
  end

  it 'waits for a charge by moving its clock' do
    plan = shop.call('POST', '/v1/plans', name: 'Box', interval: 1, interval_unit: 'months', prices: { sek: '99.00' })
    shop.pay(plan_id: plan['id'], store_card: true)
    expect(shop.wait_within('recurring_success', months: 2)['amount']).to eq('99.00')
    expect { shop.wait_within('refund', days: 40) }.to raise_error(/No webhook refund/)
  end

  it 'names the webhooks that came instead' do
    paid = shop.pay
    expect { shop.wait_for('refund', seconds: 0.1) }
      .to raise_error(/No webhook refund .* payment_success of transaction #{paid['id']}/)
  end

  it 'holds the webhooks of one order until their release' do
    shop.hold_webhooks('held')
    %w[held sent].each { |payment_ref| shop.pay(payment_ref: payment_ref) }
    expect([shop.release_webhooks('held'), shop.release_webhooks]).to eq([2, 0])
  end

  it 'signs an order' do
    paid = shop.call('POST', '/v1/transactions', shop.order(amount: '7.00', customer_ref: 'C1'))
    expect(paid['amount']).to eq('7.00')
  end

  it 'resets its own merchant only' do
    other = MondidoGateway.from_environment.shop
    [shop, other].each(&:pay)
    shop.reset
    expect([shop, other].map { |one| one.call('GET', '/v1/transactions').length }).to eq([0, 1])
  end

  it 'saves and restores a snapshot' do
    gateway = MondidoGateway.from_environment
    paid = shop.pay
    saved = gateway.save_snapshot('one-order')
    shop.pay
    expect(gateway.restore_snapshot('one-order')).to eq(saved)
    expect(shop.call('GET', '/v1/transactions').map { |one| one['id'] }).to eq([paid['id']])
    expect(gateway.snapshots.map { |one| one['name'] }).to eq(['one-order'])
    gateway.delete_snapshot('one-order')
    expect(gateway.snapshots).to eq([])
  end

  it 'fails with its requests in the report', if: ENV['FAIL'] do
    shop.pay(hash: 'wrong')
  end
end
