/** A registry did not return the registration of a domain. The message is a sentence for people. */
export class LookupFailure extends Error {
  /** whether the registry reported that the domain is not registered; no other server needs to be queried then */
  readonly isNotRegistered: boolean;
  /** whether the run had too little time; the failure must not be cached for other runs then */
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
