import { trimmedEnd } from '../../domain/text.ts';
import { ArtifactRefused, type ArtifactHead } from './port.ts';

const ID = /^[\w-]{1,64}$/;
/** Organization and run ids are ours, so only the length is checked, and characters that no database accepts. */
const OWNER = /^[^\u0000-\u001f\u007f]{1,200}$/;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** RFC 9110, 8.3.1, without quoted values. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?: ?; ?${TOKEN}=${TOKEN})*$`);
const LONGEST_MEDIA_TYPE = 120;

/** Longest name that file systems allow, in bytes. */
const LONGEST_NAME = 200;
const LONGEST_EXTENSION = 20;

/**
 * Validates an artifact's metadata. The name is cleaned; every other field is accepted unchanged or refused.
 *
 * @throws ArtifactRefused names the field
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
 * Path separators, characters that end or hide a name on some system, control characters, direction marks, lone
 * surrogates.
 */
const UNSAFE_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** Windows device names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Turns a name into one that is valid in a folder on every system and has no special meaning. */
export const cleanName = (name: string): string => {
  const oneLine = name
    .normalize('NFC')
    .replaceAll(UNSAFE_IN_NAMES, '_')
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[. ]+/, '');
  const clean = trimmedEnd(oneLine, (character) => character === '.' || character === ' ').replace(DEVICE, '_$&');
  return shortenName(clean) || 'file';
};

/** Shortens a name that is too long, and keeps its extension. */
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
