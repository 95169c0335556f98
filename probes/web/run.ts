import type { WebMetadata, WebParameters } from '../../domain/check/types/web.ts';
import type { Outcome, RunnableCheck } from '../engine/check-type.ts';
import type { RunContext } from '../engine/check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import { createMask } from '../engine/masking.ts';
import { secretTextsOf } from '../engine/secret-texts.ts';
import { timeoutFailure } from '../engine/connection-failure.ts';
import { createStopwatch } from '../engine/stopwatch.ts';
import { judge } from './assertions.ts';
import { storedHeaders } from './headers.ts';
import { beginRequest, bodySize, performRequest } from './perform-request.ts';
import type { BodyRequirements } from './body-examination.ts';
import { createRedirects, isRedirect, shownUrl } from './redirects.ts';
import { firstRequest } from './request.ts';
import { secretsOf } from './secrets.ts';

/**
 * Requests a URL, follows redirects, and evaluates the final response. Each request uses a new connection. The status
 * must be below 400 or as configured, the body must contain the required text, and the assertions must hold
 * (docs/reference/web-checks.md#assertions).
 */
export const runWeb = async (check: RunnableCheck, context: RunContext): Promise<Outcome> => {
  const parameters = check.parameters as WebParameters;
  const { search_text: text = '', follow_redirects: follows = true, assertions = {}, ca_certificate: ca } = parameters;
  const wanted: BodyRequirements = {
    text,
    absent: assertions.search_text_absent ?? '',
    json: (assertions.json ?? []).length > 0,
  };
  const stopwatch = createStopwatch(context.clock);
  const request = firstRequest(check.url ?? '', parameters.http_request);
  const mask = createMask([...secretsOf(request), ...secretTextsOf(Object.values(check.secrets))]);
  const redirects = createRedirects(mask);
  const notes = new Set<string>();
  let hop = beginRequest(request, wanted);

  const outcome = (failure: ProbeFailure | null, complete: boolean): Outcome => {
    const steps = redirects.steps();
    const excerpt = failure && hop.examination.excerpt(mask);
    const check_metadata: WebMetadata = {
      connected: hop.address !== null,
      host: hop.host,
      port: hop.port,
      address: hop.address,
      final_url: shownUrl(hop.request.url, mask),
      status_code: hop.head?.status ?? null,
      ...(hop.head && { http_version: hop.head.version, body_size: bodySize(hop) }),
      ...(hop.tls && { tls: hop.tls }),
      headers: hop.head ? storedHeaders(hop.head.headers, mask) : {},
      ...(steps.length > 0 && { redirects: steps.length, redirect_chain: [...steps] }),
      ...(excerpt !== null && { body_excerpt: excerpt }),
      ...(notes.size > 0 && { notes: [...notes].map(mask) }),
      timings: stopwatch.timings(),
    };
    return {
      status: failure?.status ?? 'ok',
      reason: failure?.reason ?? null,
      response_time: complete ? stopwatch.total() : null,
      error_message: failure ? mask(failure.message) : null,
      check_metadata,
    };
  };

  const attempt = async (limited: RunContext): Promise<Outcome> => {
    const isLast = (head: Parameters<typeof isRedirect>[0]): boolean => !follows || !isRedirect(head);
    for (;;) {
      const onNote = (sentence: string) => notes.add(sentence);
      const performing = { stopwatch, onNote, context: limited, isLast };
      const body = await performRequest(hop, redirects.sent(hop.request), performing);
      const { head, tls, examination } = hop;
      if (!head) throw new LocalFailure('The answer has no head.');
      if (isLast(head)) {
        const { status, headers } = head;
        const answered = { status, headers, tls, responseTime: stopwatch.total(), json: examination.json() };
        return outcome(judge(answered, assertions, body, mask), true);
      }
      hop = beginRequest(redirects.next(hop.request, head), wanted);
    }
  };
  return withTimeout(check.timeout, { ...context, ...(ca !== undefined && { ca }) }, attempt, {
    timedOut: () => timeoutFailure(check.timeout, stopwatch.phase, hop.peer, hop.received),
    outcome: (failure) => {
      stopwatch.stop();
      return outcome(failure, false);
    },
  });
};
