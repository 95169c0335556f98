import { Failure } from '../api/failure.ts';
import { request, type AnswerOf, type Operation, type RequestOf, type RequestOptions } from '../api/request.ts';
import { isMomentRefused, pastRequest } from '../past/past-request.ts';
import { momentProblem, pastMoment, refusedMoment, rememberUnknown, shownState } from '../past/past.ts';
import { accessToken } from './session.ts';

interface Options extends Omit<RequestOptions, 'credential' | 'onHeaders'> {
  /** whether the request reads the present even if the screen shows a past state. The requests of the frame set this */
  present?: boolean;
}

/**
 * Sends a request of the signed-in user. While the screen shows a past state, reads the state at that moment.
 *
 * @throws Failure
 * @throws DOMException `AbortError`
 */
export const call = async <O extends Operation>(
  operation: O,
  parts: RequestOf<O>,
  { present = false, ...options }: Options = {},
): Promise<AnswerOf<O>> => {
  const at = present || momentProblem.peek() !== null ? null : pastMoment.peek();
  if (at === null) return send(operation, parts, options);
  const state = shownState.peek();
  try {
    const onHeaders = (headers: Headers): void => {
      rememberUnknown(state, headers.get('uptrail-unknown'));
    };
    return await send(operation, pastRequest<RequestOf<O>>(operation, parts, at), { ...options, onHeaders });
  } catch (error) {
    if (isMomentRefused(error)) refusedMoment.value = at;
    throw error;
  }
};

/**
 * Sends a request of the signed-in user. If the service rejects the access token, gets a new access token and repeats
 * the request once. If the session has ended, the console shows the sign-in.
 */
const send = async <O extends Operation>(
  operation: O,
  parts: RequestOf<O>,
  options: Omit<RequestOptions, 'credential'>,
): Promise<AnswerOf<O>> => {
  const credential = await accessToken();
  try {
    return await request(operation, parts, { ...options, credential });
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 401) throw error;
    const next = await accessToken(credential);
    if (next === null) throw error;
    return request(operation, parts, { ...options, credential: next });
  }
};
