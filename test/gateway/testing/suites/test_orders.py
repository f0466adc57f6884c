"""Run by pytest, each test gets a merchant as the argument `shop`."""

import os
import time

import pytest
from mondido_gateway import Gateway, MondidoError, is_mock


def test_pays_and_receives_the_webhook(shop):
    paid = shop.pay(amount="12.50")
    assert (paid["status"], paid["amount"]) == ("approved", "12.50")
    assert shop.wait_for("payment_success")["id"] == paid["id"]


def test_recognises_the_mock(shop):
    assert is_mock(os.environ["MONDIDO_BASE_URL"])


def test_lets_the_bank_decline_the_next_payment(shop):
    shop.next_outcome("errors.payment.declined")
    with pytest.raises(MondidoError) as rejected:
        shop.pay()
    assert (rejected.value.error_name, rejected.value.code) == ("errors.payment.declined", 129)
    assert shop.pay()["status"] == "approved"


def test_moves_its_own_clock(shop):
    shop.freeze(shop.now())
    before = shop.now()
    plan = shop.call("POST", "/v1/plans", name="Box", interval=1, interval_unit="months", prices={"sek": "99.00"})
    shop.pay(plan_id=plan["id"], store_card=True)
    happened = shop.advance(months=3)
    assert [one["kind"] for one in happened].count("charge") == 3
    assert (shop.now() - before).days > 85


def test_lists_a_rejected_request_with_its_explanation(shop):
    with pytest.raises(MondidoError):
        shop.pay(hash="wrong")
    request = shop.requests()[0]
    assert (request["status"], request["error"]) == (400, "errors.hash.invalid")
    assert "hash" in request["explain"]


def test_finds_a_request_by_its_values_or_names_the_nearest(shop):
    shop.pay(amount="12.50")
    assert shop.sent("POST /v1/transactions", amount="12.50")["sent"]["currency"] == "sek"
    with pytest.raises(AssertionError, match='has amount "12.50"'):
        shop.sent("POST /v1/transactions", amount="1.00")


def test_waits_for_a_charge_by_moving_its_clock(shop):
    plan = shop.call("POST", "/v1/plans", name="Box", interval=1, interval_unit="months", prices={"sek": "99.00"})
    shop.pay(plan_id=plan["id"], store_card=True)
    assert shop.wait_within("recurring_success", months=2)["amount"] == "99.00"
    with pytest.raises(TimeoutError, match="No webhook refund"):
        shop.wait_within("refund", days=40)


def test_names_the_webhooks_that_came_instead(shop, monkeypatch):
    paid = shop.pay()
    monkeypatch.setattr(time, "monotonic", lambda: 1.0)  # like freezegun
    with pytest.raises(TimeoutError, match=f"No webhook refund .* payment_success of transaction {paid['id']}"):
        shop.wait_for("refund", seconds=0.1)


def test_holds_the_webhooks_of_one_order_until_their_release(shop):
    shop.hold_webhooks("held")
    shop.pay(payment_ref="held")
    shop.pay(payment_ref="sent")
    assert [shop.release_webhooks("held"), shop.release_webhooks()] == [2, 0]


def test_signs_an_order(shop):
    paid = shop.call("POST", "/v1/transactions", **shop.order(amount="7.00", customer_ref="C1"))
    assert paid["amount"] == "7.00"


def test_resets_its_own_merchant_only(shop):
    other = Gateway.from_environment().shop()
    shop.pay()
    other.pay()
    shop.reset()
    assert [len(one.call("GET", "/v1/transactions")) for one in (shop, other)] == [0, 1]


def test_saves_and_restores_a_snapshot(shop):
    gateway = Gateway.from_environment()
    paid = shop.pay()
    saved = gateway.save_snapshot("one-order")
    shop.pay()
    assert gateway.restore_snapshot("one-order") == saved
    assert [one["id"] for one in shop.call("GET", "/v1/transactions")] == [paid["id"]]
    assert [one["name"] for one in gateway.snapshots()] == ["one-order"]
    gateway.delete_snapshot("one-order")
    assert gateway.snapshots() == []


@pytest.mark.skipif(not os.environ.get("FAIL"), reason="fails on purpose")
def test_fails_with_its_requests_in_the_report(shop):
    shop.pay(hash="wrong")
