import { trimmedEnd } from '../../domain/text.ts';
import { ArtifactRefused, type ArtifactHead } from './port.ts';

const ID = /^[\w-]{1,64}$/;
/**
 * Matches an organization or run id. Uptrail generates these ids, so only two things are checked: the length, and that
 * there are no control characters, which some databases refuse.
 */
const OWNER = /^[^\u0000-\u001f\u007f]{1,200}$/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** A media type as in RFC 9110, 8.3.1, except that quoted parameter values are not accepted. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: ?; ?${TOKEN}=${TOKEN})*$`);
const LONGEST_MEDIA_TYPE = 120;

/** Maximum length of a file name, in bytes. Most file systems allow 255. */
const LONGEST_NAME = 200;
const LONGEST_EXTENSION = 20;

/**
 * Validates an artifact's metadata. Cleans the name, and accepts every other field unchanged or refuses it.
 *
 * @throws ArtifactRefused the message names the invalid field
 */
export const validateHead = ({
  id,
  organization_id,
  run_id,
  name,
  media_type,
  created_at,
}: ArtifactHead): ArtifactHead => {
  if (!ID.test(id)) throw new ArtifactRefused('id must have 1 to 64 letters, digits, "_" and "-".');
  if (!OWNER.test(organization_id)) throw new ArtifactRefused('organization_id must have 1 to 200 characters.');
  if (run_id !== null && !OWNER.test(run_id)) throw new ArtifactRefused('run_id must have 1 to 200 characters.');
  if (media_type.length > LONGEST_MEDIA_TYPE || !MEDIA_TYPE.test(media_type)) {
    throw new ArtifactRefused('media_type must be a media type such as image/png, of at most 120 characters.');
  }
  if (Number.isNaN(Date.parse(created_at))) throw new ArtifactRefused('created_at must be a time.');
  return { id, organization_id, run_id, name: cleanName(name), media_type, created_at };
};

/**
 * Characters removed from names: path separators, characters that file names must not contain on some systems, control
 * characters, text direction marks and lone surrogates.
 */
const UNSAFE_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** Windows device names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns the name without unsafe characters, shortened if necessary, so that it is a valid and ordinary file name on
 * every operating system.
 */
export const cleanName = (name: string): string => {
  const oneLine = name
    .normalize('NFC')
    .replaceAll(UNSAFE_IN_NAMES, '_')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[. ]+/, '');
  const clean = trimmedEnd(oneLine, (character) => character === '.' || character === ' ').replace(DEVICE, '_$&');
  return shortenName(clean) || 'file';
};

/** Shortens a name that is too long, but not its extension. */
const shortenName = (name: string): string => {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const found = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const ending = Buffer.byteLength(found) <= LONGEST_EXTENSION ? found : '';
  let stored = '';
  let bytes = Buffer.byteLength(ending);
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > LONGEST_NAME) break;
    stored += character;
  }
  return stored + ending;
};
