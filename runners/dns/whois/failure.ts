/** A registry gave no answer that says who has a domain; the message is a sentence. */
export class LookupFailure extends Error {
  /** the registry knows that nobody has it, so nobody else need be asked */
  readonly free: boolean;

  constructor(sentence: string, { free = false, ...options }: ErrorOptions & { free?: boolean } = {}) {
    super(sentence, options);
    this.name = 'LookupFailure';
    this.free = free;
  }
}

export const nobodyHas = (domain: string, server: string): LookupFailure =>
  new LookupFailure(`${server} says that ${domain} is not registered.`, { free: true });
