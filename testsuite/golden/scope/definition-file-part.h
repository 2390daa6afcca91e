static inline int there(int x)
{
	return x + 1;
}
