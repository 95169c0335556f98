/**
 * Preset dictionaries for deflate (RFC 1951): texts that the events of a type often contain. A match near the end of a
 * dictionary takes fewer bits, so the JSON keys, which every event contains, come last. Deflated data can be read only
 * with the dictionary with which it was written. So never change a released dictionary: a new dictionary needs a new
 * encoding (encoding.ts).
 */
export const DICTIONARIES_OF_ENCODING_1: Readonly<Record<string, string>> = {
  CheckRunCompleted: [
    // Error messages, and values that servers often send, such as the name of the server software.
    'Connection refused by The host could not be found. No answer within seconds. timed out Certificate expired on ',
    'The server answered with status 404 Not Found 403 Forbidden 500 Internal Server Error 502 Bad Gateway 503 Service Unavailable ',
    '"reason":"timeout""reason":"connect""reason":"lookup""reason":"tls""reason":"status""reason":"text"',
    '"country":"IN","region":"IN, Mumbai""country":"BE","region":"EU, West""country":"ZA","region":"ZA, Johannesburg"',
    '"country":"BR","region":"BR, Sao Paulo""country":"CN","region":"CN, Hong Kong"',
    '"response_version":2,"execution_time":,"logs":[],"pages":[],"test_results":[],"scan_results":[],"summary":{}',
    '"packet_loss":0,"packets_sent":,"packets_received":,"rtt_min":,"rtt_avg":,"rtt_max":,"records":[{"name":"","type":"A","ttl":300',
    '"certificate":{"issuer":"C=US, O=Let\'s Encrypt, CN=R11","subject":"CN=","valid_from":"","valid_to":"","days_left":',
    '"x-request-id":"","x-runtime":"","x-amz-cf-id":"","x-amz-cf-pop":"","x-cache":"Miss from cloudfront","via":"1.1 varnish, 1.1 ',
    '"cf-ray":"","cf-cache-status":"DYNAMIC","report-to":"{\\"endpoints\\":[{\\"url\\":\\"https:\\/\\/a.nel.cloudflare.com\\/report\\/v4?s=',
    '"nel":"{\\"success_fraction\\":0,\\"report_to\\":\\"cf-nel\\",\\"max_age\\":604800}","alt-svc":"h3=\\":443\\"; ma=86400"',
    '"server":"cloudflare""server":"Apache/2.4 (Debian)""server":"openresty""server":"Microsoft-IIS/10.0","x-powered-by":"PHP/8.2',
    '"x-powered-by":"Express","x-powered-by":"Next.js","access-control-allow-origin":"*","access-control-allow-credentials":"true"',
    '"access-control-allow-methods":"GET, POST, PUT, PATCH, DELETE, OPTIONS","access-control-allow-headers":"Content-Type, Authorization"',
    "\"content-security-policy\":\"default-src 'self'; script-src 'self' 'unsafe-inline' https:; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; font-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'self'; upgrade-insecure-requests\"",
    '"permissions-policy":"camera=(), microphone=(), geolocation=()","cross-origin-opener-policy":"same-origin","pragma":"no-cache","expires":"0"',
    '"strict-transport-security":"max-age=31536000; includeSubDomains; preload","x-content-type-options":"nosniff","x-frame-options":"SAMEORIGIN"',
    '"x-frame-options":"DENY","x-xss-protection":"1; mode=block","referrer-policy":"strict-origin-when-cross-origin","vary":"Accept-Encoding"',
    '"set-cookie":"********","location":"https://www.","age":"0","content-language":"en","content-encoding":"gzip","content-encoding":"br"',
    '"cache-control":"no-store, no-cache, must-revalidate, private, max-age=0","cache-control":"public, max-age=3600"',
    '"content-type":"application/json; charset=utf-8","content-type":"text/html; charset=UTF-8","content-length":"',
    '"last-modified":"Mon, 02 Feb 2026 00:00:00 GMT","etag":"W/\\"","accept-ranges":"bytes","transfer-encoding":"chunked","connection":"keep-alive"',
    '"date":"Tue, Wed, Thu, Fri, Sat, Sun, Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec 2026 ',
    // The JSON keys of the event, in their order.
    '{"result_id":"","check_id":"","organization_id":"","check_type":"tcp""check_type":"api""check_type":"icmp""check_type":"ssl""check_type":"dns"',
    '"result_type":"on_demand","execution_id":"","execution_group_id":"',
    '"status":"failed","reason":"","response_time":null,"error_message":"',
    '"status":"down","reason":"timeout","response_time":null,"error_message":"No complete answer within 10 seconds.","credits":1,"check_server":{',
    '{"connected":false,"host":"www.example.com","port":80,"address":null,"status_code":null,"headers":{},"timings":{"lookup":null,"connect":null,"tls":null,"first_byte":null,"transfer":null}}}',
    '"check_type":"web","run_id":"","slot":"2026-2027-T00:00:00.000000","result_type":"regular","region":"RU, Moscow","status":"ok","response_time":1,"error_message":null,"credits":1,',
    '"check_server":{"id":"","country":"RU","region":"RU, Moscow","ip_address":"192.168.10.","server_metadata":{"provider":"self-hosted"}},',
    '"check_metadata":{"connected":true,"host":"www.","port":443,"address":"","status_code":200,"headers":{"server":"nginx","date":"Mon, "},"redirects":1,',
    '"timings":{"lookup":1,"connect":1,"tls":1,"first_byte":1,"transfer":0}}}',
    '\n{"$correlationId":"","$causationId":"","command_id":"","actor":{"kind":"system","id":"runner","role":null},"organization_id":"","recorded_at":"2026-","schema_version":1}',
  ].join(''),
};
