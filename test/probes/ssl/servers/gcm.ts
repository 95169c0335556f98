import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { u16 } from './messages.ts';

/** The pseudo-random function of TLS 1.2 (RFC 5246, 5). */
export const prf = (secret: Buffer, label: string, seed: Buffer, length: number): Buffer => {
  const hmac = (data: Buffer): Buffer => createHmac('sha256', secret).update(data).digest();
  const start = Buffer.concat([Buffer.from(label), seed]);
  const blocks: Buffer[] = [];
  for (let a = hmac(start); blocks.length * 32 < length; a = hmac(a)) blocks.push(hmac(Buffer.concat([a, start])));
  return Buffer.concat(blocks).subarray(0, length);
};

/** Encrypts and decrypts one direction of a connection with AES_128_GCM (RFC 5288). */
export interface Protection {
  seal: (type: number, plain: Buffer) => Buffer;
  /** Returns null if the bytes are not a record of this connection. */
  open: (type: number, sealed: Buffer) => Buffer | null;
}

const protection = (key: Buffer, salt: Buffer): Protection => {
  let sequence = 0n;
  const associated = (type: number, length: number): Buffer => {
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(sequence++);
    return Buffer.concat([number, Buffer.from([type, 3, 3]), u16(length)]);
  };
  return {
    seal: (type, plain) => {
      const explicit = Buffer.alloc(8);
      explicit.writeBigUInt64BE(sequence);
      const cipher = createCipheriv('aes-128-gcm', key, Buffer.concat([salt, explicit]));
      cipher.setAAD(associated(type, plain.length));
      return Buffer.concat([explicit, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: (type, sealed) => {
      if (sealed.length < 24) return null;
      const end = sealed.length - 16;
      const cipher = createDecipheriv('aes-128-gcm', key, Buffer.concat([salt, sealed.subarray(0, 8)]));
      cipher.setAAD(associated(type, end - 8));
      cipher.setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([cipher.update(sealed.subarray(8, end)), cipher.final()]);
      } catch {
        return null;
      }
    },
  };
};

/** Returns how a server with this master secret decrypts and encrypts records. */
export const protections = (
  master: Buffer,
  clientRandom: Buffer,
  serverRandom: Buffer,
): { reading: Protection; writing: Protection } => {
  const block = prf(master, 'key expansion', Buffer.concat([serverRandom, clientRandom]), 40);
  return {
    reading: protection(block.subarray(0, 16), block.subarray(32, 36)),
    writing: protection(block.subarray(16, 32), block.subarray(36, 40)),
  };
};
