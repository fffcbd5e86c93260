import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;

/// The program of the README.
final class Load {
    private Load() {}

    static void main(String[] arguments) throws Exception {
        ImageLoaderOptions options = ImageLoaderOptions.defaults().batchSize(64).shuffle(7);
        try (ImageLoader loader = ImageLoader.open(arguments[0], options)) {
            for (ImageBatch batch : loader) {
                try (batch) {
                    IO.println(batch.images().shape());
                }
            }
            IO.println(loader.stats().bottleneck());
        }
    }
}
