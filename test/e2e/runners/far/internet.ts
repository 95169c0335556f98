import { execFileSync } from 'node:child_process';
import { openHost, type FarHost } from '../../far-network.ts';

/** The service's address in these networks. */
export const SERVICE_ADDRESS = '10.215.0.1';

/** A network behind a router, like that of a runner at a customer's site. */
export interface Site extends FarHost {
  /** Makes the router drop all packets of the site silently. */
  cut: () => void;
  mend: () => void;
}

/** The network of the service, a router with address translation (NAT), and sites behind the router. */
export interface Internet {
  addSite: () => Promise<Site>;
  close: () => Promise<void>;
}

/** Turns the current network, which must be a namespace of the test, into the network of the service. */
export const openInternet = async (): Promise<Internet> => {
  const router = await openHost();
  const hosts: FarHost[] = [router];
  const close = async (): Promise<void> => {
    for (const host of hosts) await host.close();
  };
  try {
    linkRouter(router);
  } catch (error) {
    await close();
    throw error;
  }
  let sites = 0;

  return {
    addSite: async () => {
      sites += 1;
      const host = await openHost();
      hosts.push(host);
      const link = `site${sites}`;
      const [address, gateway] = [`10.215.${sites}.1`, `10.215.${sites}.254`];
      router.ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'wan', 'netns', host.pid.toString());
      router.ip('address', 'add', `${gateway}/24`, 'dev', link);
      router.ip('link', 'set', link, 'up');
      host.ip('address', 'add', `${address}/24`, 'dev', 'wan');
      host.ip('link', 'set', 'wan', 'up');
      host.ip('route', 'add', 'default', 'via', gateway);
      // A blackhole route drops packets to the site silently, like a cut line.
      const nowhere = ['blackhole', `${address}/32`] as const;
      // Packets from the site are dropped by a separate routing table.
      const from = ['from', `${address}/32`, 'table', (100 + sites).toString()] as const;
      router.ip('route', 'add', 'blackhole', 'default', 'table', (100 + sites).toString());
      return {
        ...host,
        cut: () => {
          router.ip('route', 'add', ...nowhere);
          router.ip('rule', 'add', ...from);
        },
        mend: () => {
          router.ip('rule', 'del', ...from);
          router.ip('route', 'del', ...nowhere);
        },
      };
    },
    close,
  };
};

const linkRouter = (router: FarHost & { pid: number }): void => {
  const here = (...words: string[]): void => {
    execFileSync('ip', words);
  };
  const [program = '', ...before] = router.commandPrefix;
  execFileSync(program, [...before, 'sysctl', '-qw', 'net.ipv4.ip_forward=1']);
  here('link', 'add', 'wan', 'type', 'veth', 'peer', 'name', 'lan', 'netns', router.pid.toString());
  here('address', 'add', `${SERVICE_ADDRESS}/24`, 'dev', 'wan');
  here('link', 'set', 'wan', 'up');
  router.ip('address', 'add', '10.215.0.254/24', 'dev', 'lan');
  router.ip('link', 'set', 'lan', 'up');
  // The service sees only the router's address, so it can't open connections to a site.
  const nft = (...words: string[]): void => {
    execFileSync(program, [...before, 'nft', ...words]);
  };
  nft('add', 'table', 'ip', 'nat');
  nft('add', 'chain', 'ip', 'nat', 'out', '{ type nat hook postrouting priority 100 ; }');
  nft('add', 'rule', 'ip', 'nat', 'out', 'oifname', 'lan', 'masquerade');
};
