import type { Schemas } from './openapi.d.ts';

type ErrorBody = Schemas['Error'];

/** An answer of the API from 400 on, or none at all. */
export class Failure extends Error {
  /** 0: the service did not answer */
  readonly status: number;
  /** names the request in the service's log; null: the service did not answer */
  readonly requestId: string | null;
  /** broken fields of the body by dotted path, each with its sentences */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** seconds after which to try again; null: the answer does not say */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    message: string,
    { requestId = null, fields = {}, retryAfter = null }: Partial<Pick<Failure, 'requestId' | 'fields' | 'retryAfter'>>,
  ) {
    super(message);
    this.name = 'Failure';
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** The service did not answer: it is down, or the network is. */
export const unreachable = (): Failure => new Failure(0, 'The service does not respond.', {});

/** What an answer from 400 on says. A proxy may have sent it, in whatever format. */
export const failureOf = async (answer: Response): Promise<Failure> => {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const known = {
    requestId: answer.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  };
  try {
    const { message, errors } = (await answer.json()) as ErrorBody;
    return new Failure(answer.status, message, { ...known, fields: errors.json ?? {} });
  } catch {
    return new Failure(answer.status, `${answer.status} ${answer.statusText}`.trim(), known);
  }
};

/** What was thrown, as a Failure. */
export const failureIn = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(0, String(error), {});
