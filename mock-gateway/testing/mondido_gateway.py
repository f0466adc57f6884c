"""The test kit of mondido-gateway for Python 3.8 and newer, in one file without dependencies.

pytest: put `pytest_plugins = ["mondido_gateway"]` into conftest.py, then run `mondido-gateway exec -- pytest`. Each test that
has the argument `shop` gets a merchant of its own. unittest: derive test classes from `MondidoTestCase` and use `self.shop`.
"""

import base64
import hashlib
import itertools
import json
import os
import sys
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime

try:
    import pytest
except ImportError:
    pytest = None

# Nothing listens there. Each delivery keeps the body that it would have sent.
NOWHERE = "http://127.0.0.1:9/"
TRIGGERS = "payment payment_success payment_error payment_form recurring_success refund stored_card".split()
# Seconds between two attempts to find a webhook.
PAUSE = 0.05

_orders = itertools.count(1)
# The gateway is on this machine: a proxy of the environment could not reach it.
_http = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class MondidoError(Exception):
    """A call was rejected, or the bank declined. `explanation` says what would be right."""

    def __init__(self, error, explanation):
        self.error_name = error["name"]
        self.code = error["code"]
        self.explanation = explanation
        super().__init__(f"{self.error_name} ({self.code}): {error['description']} | {explanation}")


class Gateway:
    """A running gateway and the key of its control API."""

    def __init__(self, url, control_key):
        self.url = url
        self._control_key = control_key

    @classmethod
    def from_environment(cls):
        """Returns the gateway that `mondido-gateway exec` has started."""
        url, key = os.environ.get("MONDIDO_BASE_URL"), os.environ.get("MONDIDO_CONTROL_KEY")
        if not url or not key:
            raise RuntimeError("There is no gateway: run the tests with mondido-gateway exec -- pytest.")
        return cls(url, key)

    def shop(self, **settings):
        """Creates a merchant for one test. Settings are named as in the merchants file."""
        webhooks = [{"name": f"test_{trigger}", "trigger": trigger, "url": NOWHERE} for trigger in TRIGGERS]
        account = self.control("POST", "/merchants", settings={"webhooks": webhooks, **settings})
        return Shop(self, account["id"], account["password"], account["secret"])

    def control(self, method, path, **parameters):
        """Calls the control API."""
        return _send(method, f"{self.url}/_control{path}", parameters, {"X-Control-Key": self._control_key})

    def save_snapshot(self, name):
        """Saves the data of all merchants, clocks, seeds and forced outcomes under a name."""
        return self.control("POST", "/snapshots", name=name)

    def restore_snapshot(self, name):
        """Restores a snapshot, for all merchants. Accounts stay as they are."""
        return self.control("POST", f"/snapshots/{_path_part(name)}/restore")

    def snapshots(self):
        """Returns the snapshots."""
        return self.control("GET", "/snapshots")["snapshots"]

    def delete_snapshot(self, name):
        """Deletes a snapshot."""
        self.control("DELETE", f"/snapshots/{_path_part(name)}")


class Shop:
    """A merchant of its own, with a clock of its own."""

    def __init__(self, gateway, id, password, secret):
        self._gateway = gateway
        self.id = id
        self.password = password
        self.secret = secret

    def call(self, method, path, **parameters):
        """Calls the API as this merchant, such as `call("GET", "/v1/transactions/7")`."""
        login = base64.b64encode(f"{self.id}:{self.password}".encode()).decode()
        return _send(method, self._gateway.url + path, parameters, {"Authorization": f"Basic {login}"})

    def control(self, method, path, **parameters):
        """Calls the control API for this merchant, such as `control("POST", "/faults", kind="drop")`."""
        return self._gateway.control(method, path, merchant_id=self.id, **parameters)

    def order(self, **over):
        """Returns an order of 10.00 SEK with a card that the bank approves, a new reference and the hash."""
        card = {"card_number": "4111111111111111", "card_holder": "Kim Berg", "card_expiry": "1230", "card_cvv": "200"}
        payment_ref = f"py{os.getpid()}-{next(_orders)}"
        order = {"merchant_id": self.id, "amount": "10.00", "currency": "sek", "payment_ref": payment_ref, "test": True}
        order.update(card, **over)
        return {"hash": self.hash(**order), **order}

    def hash(self, payment_ref, amount, currency, customer_ref="", test=False, **_other_fields):
        """Returns the hash of an order."""
        text = f"{self.id}{payment_ref}{customer_ref}{amount}{currency.lower()}{'test' if test else ''}{self.secret}"
        return hashlib.md5(text.encode()).hexdigest()

    def pay(self, **over):
        """Pays an order and returns its transaction. Raises MondidoError if the bank declines."""
        return self.call("POST", "/v1/transactions", **self.order(**over))

    def next_outcome(self, outcome, times=1):
        """Sets what the bank answers to the next payments: approved, or an error by name or number."""
        self.control("POST", "/payments/next", outcome=outcome, times=times)

    def now(self):
        """Returns the time of this merchant's clock."""
        return datetime.fromisoformat(self.control("GET", "/clock")["now"].replace("Z", "+00:00"))

    def freeze(self, at):
        """Stops this merchant's clock at a datetime with a time zone."""
        self.control("POST", "/clock/freeze", at=at.isoformat(timespec="milliseconds"))

    def advance(self, **by):
        """Moves this merchant's clock, such as `advance(months=1)`. Returns what happened on the way."""
        return self.control("POST", "/clock/advance", **by)["happened"]

    def wait_for(self, trigger, seconds=30):
        """Returns the newest webhook of a trigger, as it was sent or would have been.

        Raises TimeoutError with the webhooks that came instead. It counts attempts, because freezegun stops every clock.
        """
        for _attempt in range(max(int(seconds / PAUSE), 1)):
            for newest in self.control("GET", "/webhooks/deliveries", trigger=trigger, limit=1):
                return json.loads(self.control("GET", f"/webhooks/deliveries/{newest['id']}")["body"])
            time.sleep(PAUSE)
        raise self._no_webhook(trigger, f"{seconds} seconds")

    def wait_within(self, trigger, **within):
        """Moves this merchant's clock until a new webhook of a trigger is sent, at most so far."""
        before = self._newest_delivery(trigger)
        span = {"seconds": 0, **within}
        while True:
            moved = self.control("POST", "/clock/advance", until=trigger, **span)
            if self._newest_delivery(trigger) != before:
                return self.wait_for(trigger)
            # A retry of an earlier webhook also stops the clock; a held webhook does not.
            is_stopped = any(one.get("trigger") == trigger for one in moved["happened"])
            if moved["quiet"] and not is_stopped:
                raise self._no_webhook(trigger, ", ".join(f"{count} {unit}" for unit, count in within.items()))
            span = {"seconds": moved.get("seconds_left", 0)}

    def hold_webhooks(self, payment_ref=None):
        """Holds new webhooks of one order, or of all."""
        self.control("POST", "/webhooks/hold", payment_ref=payment_ref)

    def release_webhooks(self, payment_ref=None):
        """Sends held webhooks in the order of their events, and returns their number."""
        return self.control("POST", "/webhooks/release", payment_ref=payment_ref)["released"]

    def _newest_delivery(self, trigger):
        newest = self.control("GET", "/webhooks/deliveries", trigger=trigger, limit=1)
        return newest[0]["id"] if newest else None

    def _no_webhook(self, trigger, span):
        sent = self.control("GET", "/webhooks/deliveries")
        came = ", ".join(f"{one['trigger']} of transaction {one['transaction_id']}" for one in sent)
        return TimeoutError(f"No webhook {trigger} came within {span}. Webhooks that came: {came or 'none'}.")

    def requests(self):
        """Returns the last requests of this merchant, the newest first, each with its error and explanation."""
        return self.control("GET", "/requests")["requests"]

    def sent(self, route, **where):
        """Returns the newest request to a route, such as "POST /v1/transactions", with these values, masked.

        Raises AssertionError with the nearest request.
        """
        found = self.control("POST", "/requests/find", route=route, where=where)
        if not found["request"]:
            raise AssertionError(found["message"])
        return found["request"]

    def reset(self):
        """Deletes what this merchant has done. Its settings, password and secret stay."""
        self.control("POST", "/reset")

    def story(self):
        """Returns the last requests with their errors as text."""
        fields = ("at", "method", "route", "status", "error", "explain")
        lines = [" ".join(str(one[name]) for name in fields if one[name]) for one in reversed(self.requests())]
        return "\n  ".join([f"What merchant {self.id} requested from the gateway", *lines]) + "\n"


def is_mock(url):
    """Returns True if mondido-gateway answers at this address, and not the real payment service."""
    try:
        with _http.open(f"{url}/v1", timeout=10) as answer:
            return "Mondido-Mock" in answer.headers
    except urllib.error.HTTPError as answer:
        return "Mondido-Mock" in answer.headers


def _path_part(text):
    return urllib.parse.quote(text, safe="")


def _send(method, address, parameters, headers):
    parameters = {"locale": "en", **parameters}
    body = None
    if method == "GET":
        texts = {name: json.dumps(value) if isinstance(value, bool) else value for name, value in parameters.items()}
        address += "?" + urllib.parse.urlencode(texts)
    else:
        body = json.dumps(parameters).encode()
    request = urllib.request.Request(address, body, {**headers, "Content-Type": "application/json"}, method=method)
    try:
        with _http.open(request, timeout=40) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as answer:
        raise MondidoError(json.loads(answer.read()), answer.headers.get("Mondido-Explain", "")) from None


class MondidoTestCase(unittest.TestCase):
    """For unittest: `self.shop` is a merchant for each test. If the test fails, its requests are printed."""

    def setUp(self):
        super().setUp()
        self.shop = Gateway.from_environment().shop()

    def run(self, result=None):
        result = self.defaultTestResult() if result is None else result
        failed_before = _count_failed(result)
        super().run(result)
        if _count_failed(result) > failed_before and hasattr(self, "shop"):
            print(self.shop.story(), file=sys.stderr)
        return result


def _count_failed(result):
    # pytest passes a result without these lists: its hook below adds the story to the report.
    return len(getattr(result, "failures", ())) + len(getattr(result, "errors", ()))


if pytest:

    @pytest.fixture
    def shop():
        """A merchant for this test."""
        return Gateway.from_environment().shop()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item):
        report = (yield).get_result()
        used = getattr(item, "funcargs", {}).get("shop") or getattr(getattr(item, "instance", None), "shop", None)
        if report.failed and isinstance(used, Shop):
            report.sections.append(("mondido-gateway", used.story()))
