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

/** 400: the state of the resource does not allow this. */
export class IllegalState extends DomainError {}

/** 403: a limit of the plan or of credits; permissions are checked by the API. */
export class Forbidden extends DomainError {}

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
