import type { Schemas } from './openapi.d.ts';

type ErrorBody = Schemas['Error'];

/** An API response with a status of 400 or above, or no response at all. */
export class Failure extends Error {
  /** 0: no response */
  readonly status: number;
  /** id of the request in the service's log; null: no response */
  readonly requestId: string | null;
  /** error messages by dotted path of the invalid field in the body */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** error messages by invalid parameter of the query */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** seconds to wait before a retry; null: not specified */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    message: string,
    {
      requestId = null,
      fields = {},
      query = {},
      retryAfter = null,
    }: Partial<Pick<Failure, 'requestId' | 'fields' | 'query' | 'retryAfter'>>,
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.query = query;
    this.retryAfter = retryAfter;
  }
}

/**
 * The failure of a request that was not sent, because the screen shows a past state and the operation has no past
 * states.
 */
export class NoPast extends Failure {
  constructor() {
    super(0, 'There are no past states.', {});
    this.name = 'NoPast';
  }
}

/** Returns the failure for a request without a response, because the service or the network is down. */
export const unreachable = (): Failure => new Failure(0, 'The service does not respond.', {});

/** Reads the failure from an error response. A proxy may have sent the response, so its body can have any format. */
export const failureOf = async (answer: Response): Promise<Failure> => {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const known = {
    requestId: answer.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  };
  try {
    const { message, errors } = (await answer.json()) as ErrorBody;
    return new Failure(answer.status, message, { ...known, fields: errors.json ?? {}, query: errors.query ?? {} });
  } catch {
    return new Failure(answer.status, `${answer.status} ${answer.statusText}`.trim(), known);
  }
};

/** Converts a thrown value to a Failure. */
export const failureIn = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, String(error), {});
