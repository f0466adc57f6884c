"""The scenarios of test_orders.py for unittest, with `self.shop`."""

import os
import unittest

from mondido_gateway import Gateway, MondidoTestCase, MondidoError, is_mock


class Orders(MondidoTestCase):
    def test_pays_and_receives_the_webhook(self):
        paid = self.shop.pay(amount="12.50")
        self.assertEqual((paid["status"], paid["amount"]), ("approved", "12.50"))
        self.assertEqual(self.shop.wait_for("payment_success")["id"], paid["id"])

    def test_recognises_the_mock(self):
        self.assertTrue(is_mock(os.environ["MONDIDO_BASE_URL"]))

    def test_lets_the_bank_decline_the_next_payment(self):
        self.shop.next_outcome("errors.payment.declined")
        with self.assertRaises(MondidoError) as rejected:
            self.shop.pay()
        self.assertEqual(rejected.exception.code, 129)
        self.assertEqual(self.shop.pay()["status"], "approved")

    def test_moves_its_own_clock(self):
        terms = {"name": "Box", "interval": 1, "interval_unit": "months", "prices": {"sek": "99.00"}}
        plan = self.shop.call("POST", "/v1/plans", **terms)
        self.shop.pay(plan_id=plan["id"], store_card=True)
        happened = self.shop.advance(months=3)
        self.assertEqual([one["kind"] for one in happened].count("charge"), 3)

    def test_lists_a_rejected_request_with_its_explanation(self):
        with self.assertRaises(MondidoError):
            self.shop.pay(hash="wrong")
        request = self.shop.requests()[0]
        self.assertEqual((request["status"], request["error"]), (400, "errors.hash.invalid"))
        self.assertIn("hash", request["explain"])

    def test_finds_a_request_by_its_values_or_names_the_nearest(self):
        self.shop.pay(amount="12.50")
        self.assertEqual(self.shop.sent("POST /v1/transactions", amount="12.50")["sent"]["currency"], "sek")
        with self.assertRaisesRegex(AssertionError, 'has amount "12.50"'):
            self.shop.sent("POST /v1/transactions", amount="1.00")

    def test_waits_for_a_charge_by_moving_its_clock(self):
        terms = {"name": "Box", "interval": 1, "interval_unit": "months", "prices": {"sek": "99.00"}}
        plan = self.shop.call("POST", "/v1/plans", **terms)
        self.shop.pay(plan_id=plan["id"], store_card=True)
        self.assertEqual(self.shop.wait_within("recurring_success", months=2)["amount"], "99.00")

    def test_names_the_webhooks_that_came_instead(self):
        paid = self.shop.pay()
        with self.assertRaisesRegex(TimeoutError, f"No webhook refund .* payment_success of transaction {paid['id']}"):
            self.shop.wait_for("refund", seconds=0.1)

    def test_holds_the_webhooks_of_one_order_until_their_release(self):
        self.shop.hold_webhooks("held")
        self.shop.pay(payment_ref="held")
        self.shop.pay(payment_ref="sent")
        self.assertEqual([self.shop.release_webhooks("held"), self.shop.release_webhooks()], [2, 0])

    def test_signs_an_order(self):
        order = self.shop.order(amount="7.00", customer_ref="C1")
        self.assertEqual(self.shop.call("POST", "/v1/transactions", **order)["amount"], "7.00")

    def test_resets_its_own_merchant_only(self):
        other = Gateway.from_environment().shop()
        self.shop.pay()
        other.pay()
        self.shop.reset()
        self.assertEqual([len(one.call("GET", "/v1/transactions")) for one in (self.shop, other)], [0, 1])

    def test_saves_and_restores_a_snapshot(self):
        gateway = Gateway.from_environment()
        paid = self.shop.pay()
        saved = gateway.save_snapshot("one-order")
        self.shop.pay()
        self.assertEqual(gateway.restore_snapshot("one-order"), saved)
        self.assertEqual([one["id"] for one in self.shop.call("GET", "/v1/transactions")], [paid["id"]])
        self.assertEqual([one["name"] for one in gateway.snapshots()], ["one-order"])
        gateway.delete_snapshot("one-order")
        self.assertEqual(gateway.snapshots(), [])

    @unittest.skipUnless(os.environ.get("FAIL"), "fails on purpose")
    def test_fails_with_its_requests_in_the_report(self):
        self.shop.pay(hash="wrong")
