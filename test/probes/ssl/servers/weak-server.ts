import { constants, createHash, createPrivateKey, privateDecrypt, randomBytes, X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { rawServer, type Opened } from '../../web/servers.ts';
import type { Certificate } from '../../web/certificates.ts';
import { prf, protections, type Protection } from './gcm.ts';
import * as tls from './messages.ts';
import { realPause } from '../../../waiting.ts';

/** The weaknesses of a server; by default none. */
export interface Weaknesses {
  /** the supported versions, the preferred one first; by default TLS 1.2 */
  versions?: readonly number[];
  /**
   * the suites in order of preference; handshakes can be finished only with the default,
   * TLS_RSA_WITH_AES_128_GCM_SHA256
   */
  suites?: readonly number[];
  /** reaction to a heartbeat whose stated length exceeds its content (RFC 6520) */
  heartbeat?: 'leaks' | 'discards' | 'asks' | 'refuses' | 'is silent';
  /** reaction to an early ChangeCipherSpec; `garbled` means that the server never reports unreadable records */
  earlyChange?: 'accepts' | 'refuses' | 'is silent' | 'garbled';
  /** alert for unreadable records; by default unexpected_message */
  unreadable?: number;
  /**
   * what the server reveals about the padding of a premaster secret; `early` reveals it by an early response, `twice`
   * by a second alert
   */
  oracle?: 'none' | 'strong' | 'weak' | 'early' | 'twice' | 'changing';
  compresses?: boolean;
  /** reaction to TLS_FALLBACK_SCSV (RFC 7507) */
  fallback?: 'refuses' | 'closes' | 'accepts' | 'marks';
  /** how often a client may renegotiate, and whether the server supports RFC 5746 */
  renegotiation?: { secure: boolean; times: number; otherwise?: 'refuses' | 'is silent' };
  /** pause in milliseconds between clients, if the server serves one client at a time like a small device */
  oneByOne?: number;
}

/** Kinds of padding to which the server may react differently. */
type Padding = 'good' | 'wrong start' | 'wrong version' | 'no zero';

const CLOSE = 'close';

/** Counter for servers whose responses differ each time. */
let changes = 0;

/** Starts a TLS 1.2 server with RSA key exchange and weaknesses that no server of a distribution has today. */
export const weakServer = (certificate: Certificate, weaknesses: Weaknesses = {}): Promise<Opened> => {
  let before = Promise.resolve();
  return rawServer((socket) => {
    const { oneByOne } = weaknesses;
    if (oneByOne === undefined) {
      void serve(socket, certificate, weaknesses);
      return;
    }
    const gone = new Promise<void>((resolve) => socket.once('close', resolve));
    before = before.then(async () => {
      await realPause(oneByOne, 'a server that is slow to take the next connection');
      await serve(socket, certificate, weaknesses);
      await gone;
    });
  });
};

const serve = async (socket: Socket, certificate: Certificate, weak: Weaknesses): Promise<void> => {
  const conversation = new Conversation(socket, certificate, weak);
  for await (const record of tls.recordsFrom(socket)) {
    if (conversation.hear(record) === CLOSE) break;
  }
  socket.end();
};

class Conversation {
  readonly #socket: Socket;
  readonly #certificate: Certificate;
  readonly #weak: Weaknesses;
  #version = 0x0303;
  #transcript: Buffer[] = [];
  #clientRandom: Buffer = Buffer.alloc(32);
  #serverRandom: Buffer = Buffer.alloc(32);
  #master: Buffer | null = null;
  #next: { reading: Protection; writing: Protection } | null = null;
  #reading: Protection | null = null;
  #writing: Protection | null = null;
  /** verify data of both sides in the latest Finished messages */
  #verified: { client: Buffer; server: Buffer } | null = null;
  #renegotiated = 0;
  /** whether ChangeCipherSpec came too early, so that no record can be decrypted any more */
  #broken = false;
  #alertsTwice = false;
  #mute = false;

  constructor(socket: Socket, certificate: Certificate, weak: Weaknesses) {
    this.#socket = socket;
    this.#certificate = certificate;
    this.#weak = weak;
  }

  hear({ type, fragment }: tls.TlsRecord): typeof CLOSE | undefined {
    if (this.#mute) return undefined;
    if (this.#broken) return this.#weak.earlyChange === 'garbled' ? this.#alert(10) : this.#alert(20);
    const plain = this.#reading ? this.#reading.open(type, fragment) : fragment;
    if (!plain) return this.#alert(20);
    switch (type) {
      case tls.HANDSHAKE:
        return this.#handshake(plain);
      case tls.CHANGE_CIPHER_SPEC:
        return this.#change();
      case tls.HEARTBEAT:
        return this.#heartbeat(plain);
      case tls.ALERT:
        return CLOSE;
      default:
        return undefined;
    }
  }

  #say(type: number, plain: Buffer): void {
    const fragment = this.#writing ? this.#writing.seal(type, plain) : plain;
    if (this.#socket.writable) this.#socket.write(tls.recordOf(type, this.#version, fragment));
  }

  #alert(description: number): typeof CLOSE {
    for (let times = this.#alertsTwice ? 2 : 1; times > 0; times--) this.#say(tls.ALERT, Buffer.from([2, description]));
    return CLOSE;
  }

  #handshake(message: Buffer): typeof CLOSE | undefined {
    switch (message[0]) {
      case 1:
        return this.#clientHello(message);
      case 16:
        return this.#clientKeyExchange(message);
      case 20:
        return this.#finished(message);
      default:
        return this.#alert(this.#weak.unreadable ?? 10);
    }
  }

  #clientHello(message: Buffer): typeof CLOSE | undefined {
    const hello = tls.clientHelloIn(message);
    const {
      versions = [0x0303],
      suites = [0x009c],
      compresses = false,
      heartbeat,
      renegotiation,
      fallback,
    } = this.#weak;
    if (this.#verified && renegotiation && ++this.#renegotiated > renegotiation.times) {
      if (renegotiation.otherwise !== 'is silent') this.#say(tls.ALERT, Buffer.from([1, 100]));
      return undefined;
    }
    const version = versions.find((candidate) => candidate <= hello.version);
    if (version === undefined) return this.#alert(70);
    this.#version = version;
    const isFallback = hello.suites.includes(0x5600) && version < Math.max(...versions);
    if (isFallback && fallback === 'closes') return CLOSE;
    if (isFallback && fallback !== 'accepts' && fallback !== 'marks') return this.#alert(86);
    const suite = suites.find((candidate) => hello.suites.includes(candidate));
    if (suite === undefined) return this.#alert(40);

    this.#clientRandom = hello.random;
    this.#serverRandom = randomBytes(32);
    if (isFallback && fallback === 'marks') this.#serverRandom.write('DOWNGRD\x01', 24, 'latin1');
    this.#transcript = [message];
    const reported = this.#verified ? Buffer.concat([this.#verified.client, this.#verified.server]) : Buffer.alloc(0);
    const answer = tls.serverHelloOf({
      version,
      random: this.#serverRandom,
      sessionId: randomBytes(32),
      suite,
      compression: compresses && hello.compressions.includes(1) ? 1 : 0,
      extensions: [
        ...(renegotiation?.secure
          ? [[0xff01, Buffer.concat([Buffer.from([reported.length]), reported])] as const]
          : []),
        ...(heartbeat && hello.extensions.has(15) ? [[15, Buffer.from([1])] as const] : []),
      ],
    });
    const chain = tls.certificateOf([new X509Certificate(this.#certificate.cert).raw]);
    for (const part of [answer, chain, tls.SERVER_HELLO_DONE]) {
      this.#transcript.push(part);
      this.#say(tls.HANDSHAKE, part);
    }
    return undefined;
  }

  #clientKeyExchange(message: Buffer): typeof CLOSE | undefined {
    const { padding, premaster } = this.#decrypted(message.subarray(this.#version > 0x0300 ? 6 : 4));
    const { oracle = 'none' } = this.#weak;
    if (oracle === 'strong' && padding === 'wrong start') return this.#alert(51);
    if (oracle === 'early' && padding === 'wrong start') return this.#alert(20);
    this.#alertsTwice = oracle === 'twice' && padding === 'wrong start';
    if (oracle === 'weak' && padding !== 'good' && padding !== 'wrong version') return this.#alert(47);
    if (oracle === 'weak' && padding === 'wrong version') return this.#alert(51);
    if (oracle === 'changing') return this.#alert(40 + (changes++ % 7));
    this.#transcript.push(message);
    const randoms = Buffer.concat([this.#clientRandom, this.#serverRandom]);
    this.#master = prf(premaster, 'master secret', randoms, 48);
    this.#next = protections(this.#master, this.#clientRandom, this.#serverRandom);
    return undefined;
  }

  #decrypted(encrypted: Buffer): { padding: Padding; premaster: Buffer } {
    const key = { key: createPrivateKey(this.#certificate.key), padding: constants.RSA_NO_PADDING };
    const opened = privateDecrypt(key, encrypted);
    const zero = opened.indexOf(0, 2);
    if (opened.readUInt16BE(0) !== 2) return { padding: 'wrong start', premaster: randomBytes(48) };
    if (zero !== opened.length - 49) return { padding: 'no zero', premaster: randomBytes(48) };
    const premaster = opened.subarray(-48);
    return { padding: premaster.readUInt16BE(0) === 0x0303 ? 'good' : 'wrong version', premaster };
  }

  #change(): typeof CLOSE | undefined {
    if (this.#next) {
      this.#reading = this.#next.reading;
      return undefined;
    }
    switch (this.#weak.earlyChange) {
      case 'accepts':
      case 'garbled':
        this.#broken = true;
        return undefined;
      case 'is silent':
        this.#mute = true;
        return undefined;
      default:
        return this.#alert(this.#weak.unreadable ?? 10);
    }
  }

  #finished(message: Buffer): typeof CLOSE | undefined {
    if (!this.#master || !this.#next) return this.#alert(10);
    if (!message.subarray(4).equals(this.#verifyData('client finished', this.#master))) return this.#alert(51);
    this.#transcript.push(message);
    const server = this.#verifyData('server finished', this.#master);
    this.#say(tls.CHANGE_CIPHER_SPEC, Buffer.from([1]));
    this.#writing = this.#next.writing;
    this.#say(tls.HANDSHAKE, tls.messageOf(20, server));
    this.#verified = { client: message.subarray(4), server };
    this.#next = null;
    return undefined;
  }

  #verifyData(label: string, master: Buffer): Buffer {
    return prf(master, label, createHash('sha256').update(Buffer.concat(this.#transcript)).digest(), 12);
  }

  #heartbeat(request: Buffer): typeof CLOSE | undefined {
    const claimed = request.length < 3 ? 0 : request.readUInt16BE(1);
    switch (this.#weak.heartbeat) {
      case 'leaks':
        this.#say(tls.HEARTBEAT, Buffer.concat([Buffer.from([2]), tls.u16(claimed), randomBytes(claimed + 16)]));
        return undefined;
      case 'asks':
        this.#say(tls.HEARTBEAT, Buffer.concat([Buffer.from([1]), tls.u16(4), randomBytes(4 + 16)]));
        return undefined;
      case 'discards':
        return undefined;
      case 'is silent':
        this.#mute = true;
        return undefined;
      default:
        return this.#alert(10);
    }
  }
}
