/** A registry did not say who has registered a domain; the message is a sentence. */
export class LookupFailure extends Error {
  /** the registry knows that the domain is not registered, so no other server needs to be queried */
  readonly isNotRegistered: boolean;
  /** the run had too little time, so the failure must not be remembered for other runs */
  readonly isTransient: boolean;

  constructor(
    sentence: string,
    { free = false, passing = false, ...options }: ErrorOptions & { free?: boolean; passing?: boolean } = {},
  ) {
    super(sentence, options);
    this.name = 'LookupFailure';
    this.isNotRegistered = free;
    this.isTransient = passing;
  }
}

export const notRegistered = (domain: string, server: string): LookupFailure =>
  new LookupFailure(`${server} says that ${domain} is not registered.`, { free: true });
