import { Failure } from '../api/failure.ts';
import { request, type AnswerOf, type Operation, type RequestOf, type RequestOptions } from '../api/request.ts';
import { accessToken } from './session.ts';

type Options = Omit<RequestOptions, 'credential'>;

/**
 * Sends a request of the signed-in user. If the service rejects the access token, gets a new one and repeats the
 * request once. If the session has ended, the console shows the sign-in.
 *
 * @throws Failure
 * @throws DOMException `AbortError`
 */
export const call = async <O extends Operation>(
  operation: O,
  parts: RequestOf<O>,
  options: Options = {},
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
