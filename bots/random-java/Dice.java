/** The generator splitmix32: small, and the same on every machine. */
final class Dice {
    private int state;

    Dice(long seed, int side) {
        state = (int) (seed ^ seed >>> 32 ^ (long) side << 30);
    }

    /** A number from 0 to count - 1. */
    int below(int count) {
        state += 0x9E3779B9;
        int z = state;
        z = (z ^ z >>> 16) * 0x85EBCA6B;
        z = (z ^ z >>> 13) * 0xC2B2AE35;
        return Integer.remainderUnsigned(z ^ z >>> 16, count);
    }
}
