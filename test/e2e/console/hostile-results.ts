import { instantOf } from '../../../domain/time.ts';
import type { Service } from '../../api/service.ts';
import { pieces } from '../../contracts/artifacts/examples.ts';
import { createCheck, goesDown, MINUTE, storeResults } from './check-results.ts';

/** Stores results of checks whose targets and scripts return hostile texts. */

/** Sets `window.xss` if the console renders the text as markup, runs it as a script, or follows it as a URL. */
export const HOSTILE = `"'><img src=x onerror="window.xss=1"><script>window.xss=1</script><svg onload="window.xss=1">`;
export const HOSTILE_LINK = 'javascript:window.xss=1';

const certificate = {
  subject: `CN=${HOSTILE}`,
  issuer: `CN=${HOSTILE},O=Hostile`,
  serial_number: 'A1B2',
  not_before: '2026-10-01T00:00:00.000000',
  not_after: '2026-12-30T00:00:00.000000',
  key_type: 'EC',
  key_size: 256,
  signature_algorithm: HOSTILE,
  fingerprint_sha256: 'AB'.repeat(32),
};

const step = (name: string, steps: object[] = []): object => ({
  name,
  status: 'failed',
  duration: 1_234,
  error: `Error: ${HOSTILE}`,
  steps,
});

/** For each check type, metadata that a check might store about a hostile target. */
export const HOSTILE_METADATA = {
  web: {
    connected: true,
    host: 'evil.example',
    port: 443,
    address: '127.0.0.1',
    final_url: HOSTILE_LINK,
    status_code: 503,
    http_version: '1.1',
    body_size: 21_402,
    headers: { server: HOSTILE, 'x-evil': HOSTILE, location: HOSTILE_LINK, 'content-type': 'text/html' },
    redirects: 1,
    redirect_chain: [{ status_code: 302, url: HOSTILE_LINK }],
    body_excerpt: `<!doctype html>${HOSTILE}`,
    notes: [HOSTILE],
    tls: { version: 'TLSv1.3', cipher: HOSTILE, not_after: '2026-12-30T00:00:00.000000', days_left: 40 },
    timings: { lookup: 4, connect: 12, tls: 31, first_byte: 140, transfer: 22 },
  },
  tcp: {
    connected: true,
    host: 'evil.example',
    port: 25,
    address: '127.0.0.1',
    timings: { lookup: 4, connect: 12, first_byte: null, transfer: null },
  },
  icmp: {
    original_host: HOSTILE,
    resolved_ip: '127.0.0.1',
    probe_count: 4,
    probes_sent: 4,
    packet_loss_percent: 25,
    latency_stats: { avg: 12.3, min: 11, max: 14, stddev: 1.1, latencies: [11, 12, 14] },
  },
  dns: {
    domain: 'evil.example',
    query_name: HOSTILE,
    record_type: 'TXT',
    answered_by: '127.0.0.1:53',
    transport: 'udp',
    rcode: 'NOERROR',
    authenticated_data: false,
    authoritative_nameservers: [HOSTILE],
    cname_chain: [{ name: HOSTILE, type: 'CNAME', target: HOSTILE }],
    answers: [HOSTILE, 'v=spf1 -all'],
    ttl: 300,
    missing_answers: ['expected'],
    unexpected_answers: [HOSTILE],
    whois_info: { domain_name: HOSTILE, registrar: HOSTILE, expiration_date: HOSTILE, status: [HOSTILE] },
  },
  portscan: {
    target: 'evil.example',
    execution_time: 6.5,
    scan_results: [
      {
        ip: '127.0.0.1',
        hostname: HOSTILE,
        state: 'up',
        open_ports: [
          { port: 6_379, protocol: 'tcp', service: HOSTILE, product: HOSTILE, version: HOSTILE, extrainfo: null },
        ],
      },
    ],
    summary: { total_hosts: 1, hosts_up: 1, hosts_down: 0, total_open_ports: 1 },
    vulnerabilities: [{ port: 6_379, risk_level: 'critical', description: HOSTILE, detected_version: HOSTILE }],
    notes: [HOSTILE],
  },
  ssl: {
    assertion_failed: false,
    checks: {
      certificate_info: {
        ...certificate,
        days_left: 40,
        in_trust_store: false,
        hostname_mismatch: true,
        is_revoked: null,
        subject_alternative_names: [HOSTILE, '*.evil.example'],
        chain: [certificate, certificate],
        path: null,
        problems: [{ code: 'unknown_root', details: HOSTILE }],
        notes: [HOSTILE],
      },
      has_weak_ciphers: true,
      protocol_support: { tls_1_3: { supported: true, ciphers: [HOSTILE], server_preference: null } },
      vulnerabilities: { [HOSTILE]: { vulnerable: true, details: HOSTILE, tested: true } },
      weak_ciphers_found_details: [{ cipher: HOSTILE, protocols: ['tls_1_2'], reasons: [HOSTILE] }],
    },
    deduction_summary: [HOSTILE],
    ssl_grade: 'T',
    ssl_score: 40,
    host: 'evil.example',
    port: 443,
    address: '127.0.0.1',
    handshake: { version: 'TLSv1.3', cipher: HOSTILE },
    missing: [{ part: 'ciphers', details: HOSTILE }],
    timings: { lookup: 4, connect: 12, tls: 31 },
  },
  multistep: {
    execution_time: 2_345,
    logs: [{ level: 'error', message: HOSTILE, timestamp: '2026-11-20T15:00:00.000Z' }],
    test_results: [{ ...step(HOSTILE, [step(HOSTILE)]), softAssertionErrors: [HOSTILE] }],
    test_summary: { duration: 2_345, failed: 1, passed: 0, total: 1 },
    notes: [HOSTILE],
  },
  synthetic: {
    response_version: 2,
    execution_time: 2_345,
    logs: [{ level: 'log', message: HOSTILE, timestamp: HOSTILE }],
    test_results: [
      {
        ...step(HOSTILE, [step(HOSTILE)]),
        browser_metadata: {
          browser: HOSTILE,
          screenshots: [
            { contentType: 'image/png', name: 'cart.png', url: 'artifact:console-picture' },
            { contentType: 'image/png', name: HOSTILE, url: HOSTILE_LINK },
          ],
          videos: [{ contentType: 'video/webm', name: 'run.webm', url: 'artifact:console-video' }],
        },
      },
    ],
    test_summary: { failed: 1, passed: 0, total: 1 },
    pages: [
      {
        url: HOSTILE_LINK,
        duration: 900,
        documentRequest: {
          method: 'GET',
          url: HOSTILE_LINK,
          statusCode: 200,
          requestHeaders: {},
          responseHeaders: { server: HOSTILE },
          timing: {},
        },
        network: [
          {
            method: HOSTILE,
            resourceType: HOSTILE,
            requestHeaders: {},
            responseHeaders: {},
            statusCode: 404,
            time: 12,
            url: HOSTILE_LINK,
          },
        ],
        networkSummary: { count: 1, truncated: false },
        webVitals: { FCP: 120, LCP: 340, TTFB: 20 },
      },
    ],
  },
} as const;

const TARGETS: Readonly<Record<keyof typeof HOSTILE_METADATA, object>> = {
  web: { url: 'http://127.0.0.1:9/' },
  tcp: { host: '127.0.0.1', port: 9 },
  icmp: { host: '127.0.0.1' },
  dns: { host: 'evil.example' },
  portscan: { host: '127.0.0.1' },
  ssl: { host: '127.0.0.1' },
  multistep: { parameters: { pw_script: HOSTILE } },
  synthetic: { parameters: { pw_script: HOSTILE } },
};

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Stores a check of each type with a result from a hostile target.
 *
 * @returns ids of the check and its result by check type
 */
export const storeHostile = async (service: Service, now: number): Promise<Map<string, [string, string]>> => {
  for (const [id, media_type, content] of [
    ['console-picture', 'image/png', PNG],
    ['console-video', 'video/webm', Buffer.from('no video')],
  ] as const) {
    const name = `${id}.file`;
    const given = { id, organization_id: service.first.id, run_id: id, name, media_type, created_at: instantOf(now) };
    await service.artifacts.store(given, pieces(content));
  }
  const stored = new Map<string, [string, string]>();
  for (const [type, check_metadata] of Object.entries(HOSTILE_METADATA)) {
    const target = TARGETS[type as keyof typeof TARGETS];
    const check = await createCheck(service, { name: `${type} ${HOSTILE}`.slice(0, 100), type, ...target });
    const isScript = type === 'multistep' || type === 'synthetic';
    const [result = ''] = await storeResults(service, check, [
      [
        now - MINUTE,
        {
          check_type: type,
          status: isScript ? 'error' : 'failed',
          reason: isScript ? 'script' : 'assertion',
          error_message: HOSTILE,
          check_metadata,
        },
      ],
    ]);
    await goesDown(service, check, now - MINUTE, HOSTILE);
    stored.set(type, [check, result]);
  }
  return stored;
};
