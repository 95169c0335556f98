import { mappingIn, textIn, textsByNameIn, textsIn } from '../../mapping/fields.ts';
import { isMapping, type Mapping } from '../../read-yaml.ts';

/** Returns the headers of the request, with the one for authorization. */
export const requestHeaders = (settings: Mapping, note: (rest: string) => void): Record<string, string> => ({
  ...textsByNameIn(settings, 'headers'),
  ...listedHeaders(settings, note),
  ...authorization(settings, note),
});

/** Reads `http_headers`, in which a header has several values, also secret ones. */
const listedHeaders = (settings: Mapping, note: (rest: string) => void): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const [name, given] of Object.entries(mappingIn(settings, 'http_headers') ?? {})) {
    if (!isMapping(given)) continue;
    if (textsIn(given, 'files').length > 0)
      note(`reads the header ${name} from a file; copy its value to the headers of the checks.`);
    const values = [...textsIn(given, 'values'), ...textsIn(given, 'secrets')];
    if (values.length > 0) headers[name] = values.join(', ');
  }
  return headers;
};

const authorization = (settings: Mapping, note: (rest: string) => void): Record<string, string> => {
  const section = mappingIn(settings, 'authorization') ?? {};
  if (section['credentials_file'] !== undefined || settings['bearer_token_file'] !== undefined)
    note('reads a token from a file; copy it to the header Authorization of the checks.');
  const credentials = textIn(section, 'credentials') ?? textIn(settings, 'bearer_token');
  return credentials === undefined ? {} : { Authorization: `${textIn(section, 'type') ?? 'Bearer'} ${credentials}` };
};
