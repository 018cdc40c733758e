function fib(n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
const fib_of_20 = () => fib(20);
