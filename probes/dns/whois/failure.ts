/** A registry gave no answer that says who has a domain; the message is a sentence. */
export class LookupFailure extends Error {
  /** the registry knows that nobody has it, so there is no need to ask anybody else */
  readonly free: boolean;
  /** the run had too little time, so it tells others nothing */
  readonly passing: boolean;

  constructor(
    sentence: string,
    { free = false, passing = false, ...options }: ErrorOptions & { free?: boolean; passing?: boolean } = {},
  ) {
    super(sentence, options);
    this.name = 'LookupFailure';
    this.free = free;
    this.passing = passing;
  }
}

export const nobodyHas = (domain: string, server: string): LookupFailure =>
  new LookupFailure(`${server} says that ${domain} is not registered.`, { free: true });
