/** Links to files that the API signs: `https://example.com/v1/artifacts/x4w8b2h7t1zq?…`, or without the host. */
const ARTIFACT = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/(v1\/artifacts\/[\w-]+\?[\w=&.%~-]+)$/;

/**
 * The address of a stored file at the service that this console belongs to, whatever host the link names. Links open
 * without the access token, for a while.
 *
 * @param service the root of the service
 * @returns null: it is no link to a stored file, and nothing is loaded
 */
export const artifactAddress = (link: string, service: URL): string | null => {
  const [, path] = ARTIFACT.exec(link) ?? [];
  return path === undefined ? null : new URL(path, service).href;
};

/** How a file is shown; anything but pictures and videos is downloaded. */
export const kindOf = (contentType: string): 'picture' | 'video' | 'other' =>
  /^image\/(?:png|jpeg|gif|webp|avif)(?:;|$)/.test(contentType)
    ? 'picture'
    : /^video\/(?:mp4|webm)(?:;|$)/.test(contentType)
      ? 'video'
      : 'other';
