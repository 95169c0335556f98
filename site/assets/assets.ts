import { readFileSync } from 'node:fs';

/** An asset of pages in each content encoding. The encodings are created by build.cjs. */
export interface Asset {
  contentType: string;
  identity: Uint8Array;
  br: Uint8Array;
  gzip: Uint8Array;
}

/** The folder `dist/assets/`, relative to the compiled module. */
const FOLDER = new URL('../../assets/', import.meta.url);

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

let names: Readonly<Record<string, string>> | null = null;
const assets = new Map<string, Asset>();

const manifest = (): Readonly<Record<string, string>> => {
  if (names) return names;
  const { files } = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as {
    files: Record<string, string>;
  };
  return (names = files);
};

/** Returns the name of an asset in this release: `status.css` → `status-7K3Q.css`. @throws Error no such asset */
export const assetName = (name: string): string => {
  const found = manifest()[name];
  if (found === undefined) throw new Error(`dist/assets has no ${name}.`);
  return found;
};

/**
 * Returns an asset by its name in this release, or null if there is no such asset. Each asset is read from disk once,
 * when it is first requested.
 */
export const assetNamed = (name: string): Asset | null => {
  const known = assets.get(name);
  if (known) return known;
  if (!Object.values(manifest()).includes(name)) return null;
  const read = (file: string): Uint8Array => readFileSync(new URL(file, FOLDER));
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const asset = {
    contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream',
    identity: read(name),
    br: read(`${name}.br`),
    gzip: read(`${name}.gz`),
  };
  assets.set(name, asset);
  return asset;
};
