/** A message, or a part of a message, can't be parsed. The error's text states the fault: "a name is cut off". */
export class MalformedDnsMessage extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'MalformedDnsMessage';
  }
}
