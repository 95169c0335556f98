/** Broken fields by place and dotted path, each with its sentences (decisions.md: HTTP rules, Error body). */
export interface FieldErrors {
  json?: Record<string, string[]>;
  query?: Record<string, string[]>;
  path?: Record<string, string[]>;
}

/** A refusal of a command. `message` is a sentence for the caller; http/errors.ts maps the kinds to HTTP. */
export abstract class DomainError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** 404: this caller has no such thing; it may belong to another organization. */
export class NotFound extends DomainError {}

/** 409: a unique name is taken, or a concurrent change won three times. `errors` names the field, if there is one. */
export class Conflict extends DomainError {
  readonly errors: FieldErrors;

  constructor(message: string, errors: FieldErrors = {}) {
    super(message);
    this.errors = errors;
  }
}

/** Others changed the same stream every time; a retry may well succeed. */
export class ConcurrentChange extends Conflict {
  constructor() {
    super('The resource was changed at the same time. Please try again.');
  }
}

/** 412: the resource has another revision than the caller's `If-Match`. */
export class PreconditionFailed extends DomainError {}

/** 400: the state of the resource does not allow this. */
export class IllegalState extends DomainError {}

/** 403: a limit of the plan or of credits; permissions are checked by the API. */
export class Forbidden extends DomainError {}

/** 429: this is asked for too often, or too much of it is under way. */
export class TooMany extends DomainError {
  /** after how many seconds to ask again */
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** 401: who asks has not shown who they are. The sentence tells nothing about what is known here. */
export class NotSignedIn extends DomainError {}

/** 422: the request's content breaks a rule; `errors` names every broken field. */
export class Invalid extends DomainError {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors, message = 'The request is invalid.') {
    super(message);
    this.errors = errors;
  }

  /** One broken body field with one sentence. */
  static field(path: string, sentence: string): Invalid {
    return new Invalid({ json: { [path]: [sentence] } });
  }
}
