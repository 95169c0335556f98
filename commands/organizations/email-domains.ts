import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  configureEmailDomain as configure,
  isCheckedNow,
  keepsRecords,
  recordCheck,
  storedInput,
  type EmailDomainInput,
  type DomainSecrets,
} from '../../domain/email-domain/decide.ts';
import type { EmailDomainEvent } from '../../domain/email-domain/events.ts';
import { judgeRecord } from '../../domain/email-domain/record-check.ts';
import { recordsOf } from '../../domain/email-domain/records.ts';
import { emailDomainDecider, existing } from '../../domain/email-domain/state.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import { existing as existingPage, pageDecider } from '../../domain/page/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

const makeKeys = promisify(generateKeyPair);

/** Serialises the generation of key pairs, because each occupies a core for a while. */
const inTurn = createMutex();

/**
 * Size of an RSA key. Mail services require at least this size, and the DNS record of a key of this size is not too
 * long (RFC 8301, 3.2).
 */
const KEY_BITS = 2_048;
const TOKEN_BYTES = 24;

/** Name of the key that seals the private key of a page's domain. */
const sealingKey = (pageId: string): string => `email_domain-${pageId}`;

/**
 * Sets the domain that e-mail about a page is sent from. A new domain gets a new key pair.
 *
 * @throws NotFound, Invalid
 */
export const configureEmailDomain =
  ({ handle, keys, mailDomain }: CommandDependencies) =>
  async (pageId: string, given: EmailDomainInput, context: CommandContext): Promise<void> => {
    const input = storedInput(given);
    const page = await handle.load(pageId, pageDecider, context);
    existingPage(page);
    await handle(
      pageId,
      emailDomainDecider,
      async (state) => {
        const made = keepsRecords(state, input) ? null : await makeRecords(keys, pageId, context);
        return configure(state, await handle.load(pageId, pageDecider, context), input, made, mailDomain, context.now);
      },
      context,
    );
  };

const makeRecords = async (
  keys: CommandDependencies['keys'],
  pageId: string,
  { organizationId, newId }: CommandContext,
): Promise<DomainSecrets> => {
  const { publicKey, privateKey } = await inTurn(() =>
    makeKeys('rsa', {
      modulusLength: KEY_BITS,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  );
  return {
    selector: `uptrail-${newId()}`,
    public_key: publicKey.toString('base64'),
    private_key: await keys.seal(sealingKey(pageId), privateKey, { organizationId, field: 'private_key' }),
    ownership_token: randomBytes(TOKEN_BYTES).toString('base64url'),
  };
};

/**
 * Looks up the DNS records of a page's domain, and records the findings. Does nothing shortly after the previous
 * look-up.
 *
 * @returns the events
 * @throws NotFound if the page does not exist, or has no domain
 */
export const verifyEmailDomain =
  ({ handle, lookUpTexts }: Pick<CommandDependencies, 'handle' | 'lookUpTexts'>) =>
  async (pageId: string, context: CommandContext): Promise<readonly EmailDomainEvent[]> => {
    existingPage(await handle.load(pageId, pageDecider, context));
    const domain = existing(await handle.load(pageId, emailDomainDecider, context));
    if (!isCheckedNow(domain, context.now)) return [];
    const records = recordsOf(domain);
    const findings = await Promise.all(
      records.map(async (record) => judgeRecord(record, await lookUpTexts(record.name))),
    );
    const { events } = await handle(
      pageId,
      emailDomainDecider,
      async (state) => {
        const page = await handle.load(pageId, pageDecider, context);
        return recordCheck(state, page, domain.selector, findings, context.now);
      },
      context,
    );
    return events.map(({ type, data }) => ({ type, data }) as EmailDomainEvent);
  };
