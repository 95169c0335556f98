/** A message, or a part of it, can't be parsed. The text says what is wrong: "a name is cut off". */
export class MalformedDnsMessage extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'MalformedDnsMessage';
  }
}
