/** From where runners can use the service's URL; `nowhere`: they refuse plain http to another machine. */
export type Reach = 'everywhere' | 'this machine' | 'nowhere';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const reachOf = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): Reach =>
  LOOPBACK.test(hostname) ? 'this machine' : protocol === 'https:' ? 'everywhere' : 'nowhere';

/** Quotes a text as one word of a shell. */
const quoted = (text: string): string =>
  /^[\w:/.~%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** As in docs/operate/runners.md. */
const DOCKER =
  'docker run -d --restart unless-stopped --stop-timeout 15 --read-only --tmpfs /tmp --cap-drop ALL ' +
  "--sysctl net.ipv4.ping_group_range='1000 1000' -e UPTRAIL_RUNNER_TOKEN -v uptrail-runner:/data";

/**
 * Returns the command that starts a runner in bash or zsh. The token is typed without being echoed or recorded, and
 * passed as a variable, so that it is neither in the shell history nor in the process list.
 *
 * @param service the root of the service
 */
export const startCommands = (service: URL): { npx: string; docker: string } => {
  const server = quoted(service.href.replace(/\/$/, ''));
  const read = "printf 'Token: ' && read -rs UPTRAIL_RUNNER_TOKEN && export UPTRAIL_RUNNER_TOKEN";
  return {
    npx: `${read} && npx uptrail run --server ${server}`,
    docker: `${read} && ${DOCKER} uptrail run --server ${server}`,
  };
};
