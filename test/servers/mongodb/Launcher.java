import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** An empty in-memory server on 127.0.0.1. Prints its port; ends when its standard input closes. */
public class Launcher {
  /** Newer releases of the driver refuse the wire version that mongo-java-server reports. */
  record Version(List<Integer> getVersionArray, int getWireVersion) implements MongoVersion {}

  public static void main(String[] args) throws Exception {
    var server = new MongoServer(new MemoryBackend().version(new Version(List.of(7, 0, 0), 21)));
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    System.out.println(server.getLocalAddress().getPort());
    while (System.in.read() != -1);
    server.shutdownNow();
    System.exit(0);
  }
}
