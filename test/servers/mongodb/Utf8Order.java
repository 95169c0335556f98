import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/**
 * MongoDB compares strings by their UTF-8 bytes, mongo-java-server by their UTF-16 units, so that emoji
 * come before U+E000. Writes a patched ValueComparator, which compares like MongoDB, into a folder.
 */
public class Utf8Order {
  public static int compare(String a, String b) {
    return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  public static void main(String[] args) throws Exception {
    var file = "de/bwaldvogel/mongo/backend/ValueComparator.class";
    var writer = new ClassWriter(0);
    new ClassReader(ClassLoader.getSystemResourceAsStream(file)).accept(new ClassVisitor(ASM9, writer) {
      @Override
      public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
        return new MethodVisitor(ASM9, super.visitMethod(access, name, type, signature, thrown)) {
          @Override
          public void visitMethodInsn(int opcode, String owner, String method, String descriptor, boolean isInterface) {
            if (owner.equals("java/lang/String") && method.equals("compareTo")) {
              var both = "(Ljava/lang/String;Ljava/lang/String;)I";
              super.visitMethodInsn(INVOKESTATIC, "Utf8Order", "compare", both, false);
            } else super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
          }
        };
      }
    }, 0);
    var target = Path.of(args[0], file);
    Files.deleteIfExists(target);
    Files.createDirectories(target.getParent());
    Files.write(target, writer.toByteArray());
  }
}
