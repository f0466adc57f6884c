# frozen_string_literal: true

require_relative '../../../../mock-gateway/testing/mondido_gateway'

RSpec.configure { |config| config.include MondidoGateway::Examples }

RSpec.describe 'orders' do
  it 'pays and tells the webhook' do
    paid = shop.pay(amount: '12.50')
    expect(paid).to include('status' => 'approved', 'amount' => '12.50')
    expect(shop.wait_for('payment_success')['id']).to eq(paid['id'])
  end

  it 'knows that it talks to the mock' do
    expect(MondidoGateway.mock?(ENV.fetch('MONDIDO_BASE_URL'))).to be(true)
  end

  it 'lets the bank say what the test wants' do
    shop.next_outcome('errors.payment.declined')
    expect { shop.pay }.to raise_error(MondidoGateway::Refused) { |refused| expect(refused.code).to eq(129) }
    expect(shop.pay['status']).to eq('approved')
  end

  it 'moves its own clock' do
    plan = shop.call('POST', '/v1/plans', name: 'Box', interval: 1, interval_unit: 'months', prices: { sek: '99.00' })
    shop.pay(plan_id: plan['id'], store_card: true)
    expect(shop.advance(months: 3).count { |one| one['kind'] == 'charge' }).to eq(3)
  end

  it 'forgets' do
    shop.pay
    shop.reset
    expect(shop.call('GET', '/v1/transactions')).to eq([])
  end

  it 'tells its story when it fails', if: ENV['FAIL'] do
    shop.pay(hash: 'wrong')
  end
end
