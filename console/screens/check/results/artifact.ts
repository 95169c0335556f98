/** Signed links to files from the API: `https://example.com/v1/artifacts/x4w8b2h7t1zq?…`, or without the host. */
const ARTIFACT = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/(v1\/artifacts\/[\w-]+\?[\w=&.%~-]+)$/;

/**
 * Returns the URL of a stored file at the service of this console, whatever host the link names. Such links work
 * without the access token for a limited time.
 *
 * @param service the root of the service
 * @returns null: not a link to a stored file, so nothing is loaded
 */
export const artifactAddress = (link: string, service: URL): string | null => {
  const [, path] = ARTIFACT.exec(link) ?? [];
  return path === undefined ? null : new URL(path, service).href;
};

/** How a file is displayed; anything except pictures and videos is downloaded. */
export const kindOf = (contentType: string): 'picture' | 'video' | 'other' =>
  /^image\/(?:png|jpeg|gif|webp|avif)(?:;|$)/.test(contentType)
    ? 'picture'
    : /^video\/(?:mp4|webm)(?:;|$)/.test(contentType)
      ? 'video'
      : 'other';
