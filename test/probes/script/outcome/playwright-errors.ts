/* Error messages of Playwright 1.65. */

export const ERRORS = {
  status:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoBe\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m) // Object.is equality\u001b[22m\n\nExpected: \u001b[32m200\u001b[39m\nReceived: \u001b[31m500\u001b[39m',
  withMessage:
    'Error: status of checkout\n\n\u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoBe\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m) // Object.is equality\u001b[22m\n\nExpected: \u001b[32m200\u001b[39m\nReceived: \u001b[31m500\u001b[39m',
  toBeOk:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mresponse\u001b[39m\u001b[2m).\u001b[22mtoBeOK\u001b[2m(\u001b[22m\u001b[2m)\u001b[22m failed\n\n\nCall log:\n\u001b[2m→ GET http://127.0.0.1:8080/500\u001b[22m\n\u001b[2m  user-agent: Playwright/1.65.1 (x64; debian 12) node/20.20\u001b[22m\n\u001b[2m  accept: */*\u001b[22m\n\u001b[2m  accept-encoding: gzip,deflate,br\u001b[22m\n\u001b[2m← 500 Internal Server Error\u001b[22m\n\u001b[2m  date: Wed, 25 Nov 2026 20:38:33 GMT\u001b[22m\n\u001b[2m  connection: keep-alive\u001b[22m\n\u001b[2m  keep-alive: timeout=5\u001b[22m\n\u001b[2m  content-length: 67\u001b[22m\n',
  deepEquality:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoEqual\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m) // deep equality\u001b[22m\n\n\u001b[32m- Expected  - 2\u001b[39m\n\u001b[31m+ Received  + 2\u001b[39m\n\n\u001b[2m  Object {\u001b[22m\n\u001b[32m-   "a": 2,\u001b[39m\n\u001b[31m+   "a": 1,\u001b[39m\n\u001b[2m    "b": Array [\u001b[22m\n\u001b[2m      1,\u001b[22m\n\u001b[32m-     3,\u001b[39m\n\u001b[31m+     2,\u001b[39m\n\u001b[2m    ],\u001b[22m\n\u001b[2m    "c": "x",\u001b[22m\n\u001b[2m  }\u001b[22m',
  contained:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoContain\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m) // indexOf\u001b[22m\n\nExpected substring: \u001b[32m"bye"\u001b[39m\nReceived string:    \u001b[31m"hello world"\u001b[39m',
  text: 'Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).\u001b[22mtoHaveText\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m)\u001b[22m failed\n\nLocator:  locator(\'h1\')\nExpected: \u001b[32m"\u001b[7mGoodby\u001b[27me"\u001b[39m\nReceived: \u001b[31m"\u001b[7mWelcom\u001b[27me"\u001b[39m\nTimeout:  500ms\n\nCall log:\n\u001b[2m  - Expect "toHaveText" locator(\'h1\') with timeout 500ms\u001b[22m\n\u001b[2m  - waiting for locator(\'h1\')\u001b[22m\n\u001b[2m    6 × locator resolved to <h1>Welcome</h1>\u001b[22m\n\u001b[2m      - unexpected value "Welcome"\u001b[22m\n',
  title:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mpage\u001b[39m\u001b[2m).\u001b[22mtoHaveTitle\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m)\u001b[22m failed\n\nExpected pattern: \u001b[32m/Cart/\u001b[39m\nReceived string:  \u001b[31m"Shop"\u001b[39m\nTimeout: 500ms\n\nCall log:\n\u001b[2m  - Expect "toHaveTitle" with timeout 500ms\u001b[22m\n\u001b[2m    6 × locator resolved to <html>…</html>\u001b[22m\n\u001b[2m      - unexpected value "Shop"\u001b[22m\n',
  url: 'Error: \u001b[2mexpect(\u001b[22m\u001b[31mpage\u001b[39m\u001b[2m).\u001b[22mtoHaveURL\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m)\u001b[22m failed\n\nExpected: \u001b[32m"http://\u001b[7mx/cart\u001b[27m"\u001b[39m\nReceived: \u001b[31m"http://\u001b[7m127.0.0.1:8080/\u001b[27m"\u001b[39m\nTimeout:  500ms\n\nCall log:\n\u001b[2m  - Expect "toHaveURL" with timeout 500ms\u001b[22m\n\u001b[2m    6 × locator resolved to <html>…</html>\u001b[22m\n\u001b[2m      - unexpected value "http://127.0.0.1:8080/"\u001b[22m\n',
  missingElement:
    "Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).\u001b[22mtoBeVisible\u001b[2m(\u001b[22m\u001b[2m)\u001b[22m failed\n\nLocator: getByRole('button', { name: 'Buy' })\nExpected: visible\nTimeout: 500ms\nError: element(s) not found\n\nCall log:\n\u001b[2m  - Expect \"toBeVisible\" getByRole('button', { name: 'Buy' }) with timeout 500ms\u001b[22m\n\u001b[2m  - waiting for getByRole('button', { name: 'Buy' })\u001b[22m\n",
  shownElement:
    "Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).not.\u001b[22mtoBeVisible\u001b[2m(\u001b[22m\u001b[2m)\u001b[22m failed\n\nLocator:  getByRole('button', { name: 'Pay' })\nExpected: not visible\nReceived: visible\nTimeout:  500ms\n\nCall log:\n\u001b[2m  - Expect \"not toBeVisible\" getByRole('button', { name: 'Pay' }) with timeout 500ms\u001b[22m\n\u001b[2m  - waiting for getByRole('button', { name: 'Pay' })\u001b[22m\n\u001b[2m    6 × locator resolved to <button>Pay</button>\u001b[22m\n\u001b[2m      - unexpected value \"visible\"\u001b[22m\n",
  count:
    "Error: \u001b[2mexpect(\u001b[22m\u001b[31mlocator\u001b[39m\u001b[2m).\u001b[22mtoHaveCount\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m)\u001b[22m failed\n\nLocator:  locator('li')\nExpected: \u001b[32m3\u001b[39m\nReceived: \u001b[31m0\u001b[39m\nTimeout:  500ms\n\nCall log:\n\u001b[2m  - Expect \"toHaveCount\" locator('li') with timeout 500ms\u001b[22m\n\u001b[2m  - waiting for locator('li')\u001b[22m\n\u001b[2m    6 × locator resolved to 0 elements\u001b[22m\n\u001b[2m      - unexpected value \"0\"\u001b[22m\n",
  click:
    "TimeoutError: locator.click: Timeout 500ms exceeded.\nCall log:\n\u001b[2m  - waiting for getByRole('button', { name: 'Buy' })\u001b[22m\n",
  refused:
    'Error: apiRequestContext.get: connect ECONNREFUSED 127.0.0.1:1\nCall log:\n\u001b[2m  - → GET http://127.0.0.1:1/abc\u001b[22m\n\u001b[2m    - user-agent: Playwright/1.65.1 (x64; debian 12) node/20.20\u001b[22m\n\u001b[2m    - accept: */*\u001b[22m\n\u001b[2m    - accept-encoding: gzip,deflate,br\u001b[22m\n',
  slowPage:
    'TimeoutError: page.goto: Timeout 500ms exceeded.\nCall log:\n\u001b[2m  - navigating to "http://127.0.0.1:8080/slow", waiting until "load"\u001b[22m\n',
  slowRequest:
    'TimeoutError: apiRequestContext.get: Timeout 500ms exceeded.\nCall log:\n\u001b[2m  - → GET http://127.0.0.1:8080/slow\u001b[22m\n\u001b[2m    - user-agent: Playwright/1.65.1 (x64; debian 12) node/20.20\u001b[22m\n\u001b[2m    - accept: */*\u001b[22m\n\u001b[2m    - accept-encoding: gzip,deflate,br\u001b[22m\n',
  ambiguous:
    "Error: locator.click: Error: strict mode violation: locator('p') resolved to 2 elements:\n    1) <p>a</p> aka getByText('a')\n    2) <p>b</p> aka getByText('b')\n\nCall log:\n\u001b[2m  - waiting for locator('p')\u001b[22m\n",
  thrown: 'Error: Out of stock',
  typeError: "TypeError: Cannot read properties of undefined (reading 'y')",
  inPage:
    'Error: page.evaluate: Error: boom in page\n    at eval (eval at evaluate (:370:30), <anonymous>:2:11)\n    at UtilityScript.evaluate (<anonymous>:372:16)\n    at UtilityScript.<anonymous> (<anonymous>:1:44)',
  polled:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoBe\u001b[2m(\u001b[22m\u001b[32mexpected\u001b[39m\u001b[2m) // Object.is equality\u001b[22m\n\nExpected: \u001b[32m4\u001b[39m\nReceived: \u001b[31m3\u001b[39m\n\nCall Log:\n- Timeout 300ms exceeded while waiting on the predicate',
  truthy:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoBeTruthy\u001b[2m()\u001b[22m\n\nReceived: \u001b[31mfalse\u001b[39m',
  property:
    'Error: \u001b[2mexpect(\u001b[22m\u001b[31mreceived\u001b[39m\u001b[2m).\u001b[22mtoHaveProperty\u001b[2m(\u001b[22m\u001b[32mpath\u001b[39m\u001b[2m, \u001b[22m\u001b[32mvalue\u001b[39m\u001b[2m)\u001b[22m\n\nExpected path: \u001b[32m"b"\u001b[39m\nReceived path: \u001b[31m[]\u001b[39m\n\nExpected value: \u001b[32m2\u001b[39m\nReceived value: \u001b[31m{"a": 1}\u001b[39m',
  testTimeout: '\u001b[31mTest timeout of 700ms exceeded.\u001b[39m',
  waitedUntilTimeout:
    "Error: locator.click: Test timeout of 700ms exceeded.\nCall log:\n\u001b[2m  - waiting for getByText('nothing')\u001b[22m\n",
};
